# Figures 1 and 2 of the paper. Rscript R/figures.R, after the notebooks.
library(ggplot2)

panel <- read.csv("data/panel.csv")
copan <- read.csv("results/predictions_copan.csv")
names(copan)[-1] <- paste0(names(copan)[-1], "_hat")
both <- merge(panel, copan, by = "subject_id")

pdf("results/figure2.pdf", width = 6, height = 2.4)
par(mfrow = c(1, 3))
for (what in c("progression", "ltg", "glu")) {
  plot(both[[what]], both[[paste0(what, "_hat")]], xlab = "measured", ylab = "predicted", main = what, pch = 16)
  abline(0, 1, lty = 2)
}
dev.off()

scores <- rbind(read.csv("results/scores_copan.csv"), read.csv("results/scores_baselines.csv"))
p <- ggplot(subset(scores, target == "mean"), aes(reorder(method, nrmse), nrmse)) + geom_col() + coord_flip()
ggsave("results/figure1.pdf", p, width = 4, height = 3)
write.csv(subset(scores, target == "mean"), "results/table2.csv", row.names = FALSE)
