import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from glyphrank.landmarks import unit
from glyphrank.runs import write_run
from glyphrank.split import noisy_queries, parts

data = parts()
train, gallery, query = data["train"], data["gallery"], data["query"]
noisy_ids, noisy = noisy_queries()
lda = LinearDiscriminantAnalysis(solver="eigen", shrinkage=0.1).fit(train.X, train.y)
G = unit(lda.transform(gallery.X))
for condition, ids, X in (("clean", query.ids, query.X), ("noisy", noisy_ids, noisy)):
    order = np.argsort(-(unit(lda.transform(X)) @ G.T).round(9), axis=1, kind="stable")[:, :10]
    write_run("lda", condition, ids, gallery.ids, order)
