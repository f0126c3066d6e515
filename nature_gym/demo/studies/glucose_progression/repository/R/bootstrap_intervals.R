library(ggplot2)
b <- read.csv("results/bootstrap_r2.csv", check.names = FALSE)
long <- stack(b)
q <- aggregate(values ~ ind, long, function(v) quantile(v, c(0.025, 0.5, 0.975)))
q <- data.frame(method = q$ind, q$values)
names(q)[2:4] <- c("low", "mid", "high")
p <- ggplot(q, aes(mid, reorder(method, mid), xmin = low, xmax = high)) +
  geom_pointrange() + labs(x = expression(R^2), y = NULL) + theme_bw()
ggsave("figures/fig2_bootstrap.svg", p, width = 4, height = 3)
