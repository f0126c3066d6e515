"""data/symbols.csv from the Hugging Face hub (without huggingface_hub, one file is enough)."""
import os
import urllib.request

REPO = "kitayama-glyphs/symbols-8x8"
URL = "https://huggingface.co/datasets/{}/resolve/main/symbols.csv".format(REPO)
TARGET = os.path.join(os.path.dirname(__file__), "..", "data", "symbols.csv")

if not os.path.exists(TARGET):
    urllib.request.urlretrieve(URL, TARGET)
