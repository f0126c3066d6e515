# needs reticulate, because the embedding is a npy file
library(reticulate)
np <- import("numpy")
e <- np$load("embeddings/snade.npy")
z <- read.csv("results/assign_snade.csv")$run0
svg("figures/fig2_embedding.svg", width = 4, height = 4)
plot(e[, 2], e[, 3], col = z + 1, pch = 20, cex = 0.4, xlab = "eigenvector 2", ylab = "eigenvector 3")
dev.off()
