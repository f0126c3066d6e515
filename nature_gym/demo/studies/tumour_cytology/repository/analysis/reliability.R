# Fig. 3: reliability of the committee and of the logistic regression
suppressMessages(library(ggplot2))

truth <- read.csv("data/test.csv")[, c("case_id", "diagnosis")]
ours  <- read.csv("results/predictions_committee.csv")
base  <- read.csv("results/baseline_predictions.csv")[, c("case_id", "logistic_regression")]

d <- merge(merge(truth, ours), base)
long <- rbind(
  data.frame(method = "committee", p = d$probability, y = d$diagnosis == "M"),
  data.frame(method = "logistic regression", p = d$logistic_regression, y = d$diagnosis == "M")
)
long$bin <- cut(long$p, seq(0, 1, 0.2), include.lowest = TRUE)
agg <- aggregate(cbind(p, y) ~ bin + method, long, mean)
write.csv(agg, "results/reliability.csv", row.names = FALSE)

g <- ggplot(agg, aes(p, y, colour = method)) + geom_abline(linetype = 2) + geom_line() + geom_point() +
  labs(x = "Predicted probability", y = "Observed frequency") + theme_classic()
ggsave("figures/fig3_reliability.svg", g, width = 3.5, height = 3)
