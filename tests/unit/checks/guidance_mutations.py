# ruff: noqa: E501 -- one fault a line
"""Faults for C2.5, put into good packages, and sentences that may stand there."""

from __future__ import annotations

from tests.unit.checks.mutations import README, Mutation, readme, said

ADVICE = [
    "Use a graph convolutional network on the pairs.",
    "**Train** a *transformer*\nfor 300 epochs.",
    "We recommend gradient boosting.",
    "The profiles should be embedded with a variational autoencoder.",
    "- optimiser: AdamW\n- learning rate of 1e-4",
    "| Setting | Value |\n|---|---|\n| batch size | 64 |",
    "Set `lr=3e-4`.",
    "Any method is allowed, but random forests work best.",
    "<!-- fine-tune a ResNet-50 -->",
    "> Pretrain on all rows, then fine-tune on the labelled ones.",
]
WORDS = [
    "graph convolutional network", "300 epochs", "gradient boosting", "autoencoder", "AdamW", "batch size", "lr=3e-4",
    "random forests", "fine-tune", "Pretrain",
]  # fmt: skip
"""What the finding has to name; it stands on the line that is to be told."""

MUTATIONS = [
    *(Mutation("C2.5", "cells", said(text), README, word) for text, word in zip(ADVICE, WORDS, strict=True)),
    Mutation("C2.5", "cells", readme("def main():\n", "def main():\n    # use a random forest with 500 trees\n"), README, "500 trees"),
    Mutation("C2.5", "cells", readme("def main():\n", "def main():\n    model = torch.nn.TransformerEncoder(layer, 6)\n"), README, "TransformerEncoder"),
    Mutation("C2.5", "cells", readme("def main():\n", "def main():\n    learning_rate = 1e-4\n"), README, "learning_rate"),
    Mutation("C2.5", "cells", readme("### Notes\n", "### Use a graph neural network\n"), README, "graph neural network"),
    Mutation("C2.5", "cells", said("In this field neural networks are common."), README, "neural networks", level="warn"),
]  # fmt: skip

ALLOWED = [
    "You may use any method.",
    "The load of each transformer station is given.",
    "Children with attention deficit are included.",
    "The embeddings in `train.csv` were computed by a protein language model.",
    "`esm_model.pt` holds the weights of ESM-2, a transformer.",
    "Answers must be float32 of shape (n, 10); the column `batch` is an integer.",
    "Predict the response and use the provided split.",
    "Labels were made by a convolutional network and corrected by hand.",
    "Models must not be pretrained on other data.",
]
