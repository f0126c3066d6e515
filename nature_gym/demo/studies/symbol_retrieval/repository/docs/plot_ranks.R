# Fig. 2
r <- read.csv("results/retrieval.csv")
w <- reshape(r[, c("method", "condition", "ndcg10")], idvar = "method", timevar = "condition", direction = "wide")
svg("figures/fig2_ndcg.svg", width = 5, height = 3)
barplot(t(as.matrix(w[order(w$ndcg10.clean), -1])), beside = TRUE, names.arg = w$method[order(w$ndcg10.clean)], las = 2)
dev.off()
