"""Whether the method that a paper puts to the test is its authors' own.

That a row of a table is best makes it nobody's method. It is the authors' own where they say that they made, named or
rebuilt it; a learner that everybody has stays everybody's, however well it was tuned and whatever it was fed with.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from nature_gym.screening.contributions import Contribution
from nature_gym.screening.cues import Line, Scoped, negated, speaks_of_others, words
from nature_gym.screening.methods import COMMON_LEARNER, Methods
from nature_gym.screening.result_tables import OURS, is_named

_PUBLIC_MODEL = re.compile(
    r"(?:(?:nn)?[uv]-?net(?:\+\+|formers?)?|(?:attention|residual|dense) u-?net|unetr|swin(?: ?unetr)?|(?:vision|swin"
    r"|pyramid vision|temporal fusion) transformers?|convnext|res-?next|wide ?resnet|squeezenet|shufflenet|xception"
    r"|nasnet|deeplab|segformer|segnet|fpn|pspnet|hrnet|(?:fast(?:er)?|mask|cascade) r-?cnn|retinanet|detr|ssd"
    r"|yolo|centernet|cellpose|stardist|deeplabcut|sam|segment anything(?: model)?|clip|dino|mae|simclr|moco|byol"
    r"|pointnet|graphsage|gin|schnet|cgcnn|alignn|megnet|chemprop|dimenet|painn|m3gnet|chgnet"
    r"|(?:ro|distil|al|de|sci|bio|clinical|mat(?:sci)?|pubmed|blue|legal|chem)?-?bert(?:a)?"
    r"|electra|xlnet|t5|flan|bart|gpt|chatgpt|llama|mistral|gemma|gemini|claude|qwen|deepseek|palm|bloom"
    r"|esm|prot(?:bert|t5|trans)|alphafold|rosettafold|esmfold|wav2vec|hubert|whisper|word2vec|glove|fasttext|doc2vec"
    r"|stylegan|cyclegan|pix2pix|dc-?gan|wgan|stable diffusion|ddpm|prophet|n-?beats|informer|autoformer|patchtst"
    r"|tabnet|tabpfn|ft-transformer|extra[- ]?trees|ada-?boost|arimax?|sarima|kalman filter|bi-?gru|conv-?lstm"
    r"|random survival forests?|deepsurv|isolation forest|umap|t-?sne|dbscan|k-?means|hdbscan|leiden|louvain)",
    re.IGNORECASE,
)
"""Models and learners that anybody can download: known by name and in many sizes."""
_ONE_SIZE = (
    r"(?:v?\d[\w.]*|[a-z]\d{1,3}|tiny|small|base|medium|large|huge|nano|xl|uncased|cased|[smlxbtn])(?![A-Za-z0-9])"
)
_SIZE = rf"(?:[-\s]?{_ONE_SIZE})?(?:[-\s/]{_ONE_SIZE}){{0,3}}"
_KIND_OF = re.compile(
    r"\s+(?:models?|networks?|nets?|transformers?|classifiers?|regressors?|detectors?|algorithms?|architectures?"
    r"|learners?|backbones?|encoders?|methods?|approach(?:es)?|checkpoints?|predictors?|pipelines?)$",
    re.IGNORECASE,
)
_MODIFIERS = re.compile(
    r"^(?:(?:an?|the|our|this|one|two|three|four|five|six|several|various|different|multiple|\d+)\s+)?"
    r"(?:(?:well-|carefully |fully )?(?:optimi[sz]ed|tuned|fine-?tuned|hyper-?parameter-?(?:tuned|optimi[sz]ed)"
    r"|pre-?trained|trained|standard|vanilla|plain|simple|basic|conventional|classical|existing|established|popular"
    r"|published|public|off-the-shelf|state-of-the-art|supervised|machine[- ]learning|improved|robust|accurate"
    r"|lightweight|imagenet)[-,]?\s+)*",
    re.IGNORECASE,
)
_MODEL_AND_SIZE = re.compile(rf"(?:{_PUBLIC_MODEL.pattern}|{COMMON_LEARNER.pattern}){_SIZE}", re.IGNORECASE)


def is_public_learner(name: str) -> bool:
    """Whether ``name`` is a learner that anybody has, whatever its size and however it was tuned.

    >>> is_public_learner("Optimised XGBoost"), is_public_learner("EfficientNet-B4"), is_public_learner("TideNet")
    (True, True, False)
    """
    bare = OURS.sub("", name).strip(" .,:;")
    if len(bare) > _LONGEST_NAME:
        return False
    bare = _MODIFIERS.sub("", bare, count=1)
    for _ in range(2):
        if _MODEL_AND_SIZE.fullmatch(bare):
            return True
        bare = _KIND_OF.sub("", bare)
    return _MODEL_AND_SIZE.fullmatch(bare) is not None


_LONGEST_NAME = 80
STRUCTURE = re.compile(
    r"\b(?:new|novel|own|custom|modified|different|additional|extra|dedicated|physics-\w+|tailored)\b[^.;,]{0,40}"
    r"\b(?:architectures?|loss(?:es)?(?: functions?)?|layers?|attention|modules?|blocks?|heads?|kernels?|objectives?"
    r"|regulari[sz]\w+|encod\w+|embeddings?|optimi[sz]ers?|training (?:scheme|procedure|strategy|algorithm)"
    r"|pooling|convolutions?|branch(?:es)?|gates?|decoders?|penalt(?:y|ies)|priors?|algorithms?|methods?)\b"
    r"|\b(?:loss|layers?|attention|modules?|blocks?|heads?|kernels?|encod\w+|objective|architecture|positional \w+"
    r"|convolutions?|pooling|decoder|split criterion|regulari[sz]er)\b[^.;]{0,40}\b(?:is|are|was|were|being)\s"
    r"(?:replaced|exchanged|modified|redesigned|re-?engineered|extended|added|inserted|re-?formulated|augmented (?:by"
    r"|with))\b"
    r"|\b(?:add(?:s|ed|ing)?|insert(?:s|ed|ing)?|replac(?:e|es|ed|ing)|redesign(?:s|ed|ing)?|re-?engineer(?:s|ed)?"
    r"|modif(?:y|ies|ied|ying)|extend(?:s|ed|ing)?|equip(?:s|ped|ping)?|couple[sd]?|embed(?:s|ded)?"
    r"|incorporat\w+)\b(?![^.;]{0,25}\b(?:last|final|output|classification|top) (?:fully[- ]connected )?(?:layer"
    r"|head)\b)[^.;]{0,60}\b(?:loss|layers?|attention|modules?|blocks?|kernels?|gates?|penalt\w+|branch\w*|constraints?"
    r"|equivarian\w+|symmetr\w+|conservation|objective|architecture|decoder|encoder|convolutions?|operators?)\b",
    re.IGNORECASE,
)
"""A learner that was changed in its parts, not in its settings."""
_TUNED = re.compile(
    r"\bfine-?tun\w*|\bhyper-?parameters?\b|\baugment\w*|\btransfer learning\b|\btun(?:ed|ing)\b|\bpre-?trained\b"
    r"|\bweights\b|\bgrid search\b|\bbayesian (?:search|optimi[sz]ation)\b|\bfeature selection\b|\bresampl\w+",
    re.IGNORECASE,
)
TAKEN_AS_IT_IS = re.compile(
    r"\boff[- ]the[- ]shelf\b|\bout[- ]of[- ]the[- ]box\b|\bwithout (?:any )?(?:further )?(?:changes?|modifications?"
    r"|adaptations?|alterations?)\b|\b(?:default|standard|stock|recommended) (?:\w+ )?(?:settings?|hyper-?parameters?"
    r"|parameters?|configurations?|implementations?|options|values|recipes?)\b|\b(?:public|official|reference|publicly"
    r" available|open-source|original|existing) (?:implementations?|code base|models?|checkpoints?|weights)\b"
    r"|\bas (?:implemented|provided|available|published|released|distributed) (?:in|by|with|on)\b|\b(?:torchvision"
    r"|timm|scikit-learn|sklearn|keras applications|hugging ?face|ultralytics|caret|weka|autogluon|h2o|pycaret"
    r"|teachable machine|automl)\b|\b(?:library|libraries|package|toolbox)\b"
    r"|\bonly (?:the )?(?:hyper-?parameters?|last layer|final layer|classification head|output layer|learning rate)\b"
    r"|\b(?:was|were|is|are|we) (?:\w+ )?fine-?tun\w+|\b(?:initiali[sz]ed|pre-?trained) (?:from|with|on"
    r"|using) (?:the )?"
    r"(?:imagenet|coco|ms-?coco)\b|\b(?:imagenet|coco) weights\b|\b(?:established|popular|well-known|existing|common"
    r"|standard|classical|conventional|widely used) (?:\w+[- ]){0,3}(?:algorithms?|models?|learners?|architectures?"
    r"|networks?|classifiers?|methods?)\b|\bimagenet\b",
    re.IGNORECASE,
)
"""Says that a learner was used as others made it."""
_HEAD_ENDS = re.compile(
    r"[,;:(]|\s(?:that|which|for|to|with|whose|on|in|by|using|from|trained|and|of|as|based|at|over|via|through|so)\b"
)
_INTRODUCED = frozenset({"propose", "introduce", "develop", "devise", "design", "invent", "conceive", "unveil"})


def is_plain(contribution: Contribution) -> bool:
    """Whether what is said to be made is a learner that everybody has: trained, tuned or fed with other inputs."""
    named, text = contribution.object, contribution.line.text
    if STRUCTURE.search(text):
        return False
    if contribution.kind == "adaptation":
        return _TUNED.search(text) is not None
    head = _HEAD_ENDS.split(named, maxsplit=1)[0]
    if not is_public_learner(head):
        return False
    verb = re.sub(r"(?:es|ed|s|d)$", "", contribution.verb)
    introduced = any(stem.startswith(verb) for stem in _INTRODUCED) and len(verb) > _SHORTEST_STEM
    explained = re.match(
        r",?\s?(?:\([^)]*\))?,? (?:an?|our) |:|\s?(?:\([^)]*\))?,? (?:whose|in which|where)\b", named[len(head) :]
    )
    return not (introduced and explained)


_SHORTEST_STEM = 4
_MADE = words(
    r"propos\w+",
    r"introduc\w+",
    r"develop\w*",
    r"present(?:s|ed)?",
    r"design(?:s|ed)?",
    r"devis\w+",
    r"creat\w+",
    r"construct(?:s|ed)?",
    r"engineer(?:s|ed)?",
    r"invent\w*",
    r"put forward",
    r"call(?:s|ed)?",
    r"term(?:s|ed)?",
    r"dub(?:s|bed)?",
    r"name[sd]?",
    r"nam(?:es|ed) (?:it|this)",
    r"formulat\w+",
    r"derive[sd]?",
    r"novel",
    r"new",
    r"our",
    r"ours",
    r"we (?:describe|report|offer|provide|contribute|built|build|set out|adapt|extend|re-?engineer|modif|tailor)\w*",
)
_SHOWS = (
    r"(?:reach|achiev|outperform|exceed|attain|surpass|beat|perform|improv|yield|obtain|give|show|classifi|predict|wa|i"
    r"|ha|doe|score|get|detect|segment|work|need|take|make)\w*s\b"
)
"""Says what came out, not how it works: true of anybody's method."""
_EXPLAINED = rf"(?:['’]s\b|,? (?:which |is an? |is our |\w+ly )?(?!{_SHOWS})[a-z]{{3,}}s\b|,? (?:is|are) (?:an?|our)\b)"


def own_lines(paper: Scoped, methods: Methods, made: Iterable[Contribution]) -> list[Line]:
    """Sentences in which the authors say that the method, by name, is theirs."""
    found = [one.line for one in made if is_named(one.line.text, methods.names) and not is_plain(one)]
    public = bool(methods.names) and all(is_public_learner(name) for name in methods.names)
    names = "|".join(map(re.escape, methods.names)) or r"(?!)"
    explained = re.compile(rf"(?<!\w)(?:{names}){_EXPLAINED}|^In (?:{names}),")
    titled = not public and is_named(paper.title, methods.names)
    for line in (*paper.abstract, *paper.body):
        text = line.text
        if line in found or not is_named(text, methods.names) or speaks_of_others(text):
            continue
        if TAKEN_AS_IT_IS.search(text) and not STRUCTURE.search(text):
            continue
        if public:
            changed = STRUCTURE.search(text)
            if changed and not negated(text, changed.start()):
                found.append(line)
        elif _MADE.search(text) or explained.search(text) or (titled and line in paper.abstract):
            found.append(line)
    return found


def taken_lines(paper: Scoped, methods: Methods) -> list[Line]:
    """Sentences that say that the learner was taken as others made it, those of the method by name first."""
    found = [
        line
        for line in (*paper.abstract, *paper.in_zones("methods", "results"))
        if (match := TAKEN_AS_IT_IS.search(line.text)) and not negated(line.text, match.start())
    ]
    return sorted(found, key=lambda line: not is_named(line.text, methods.names))


def public_learners_of(lines: Sequence[Line]) -> list[Line]:
    """Lines that name a learner that everybody has."""
    return [line for line in lines if _NAMED_PUBLIC.search(line.text)]


_NAMED_PUBLIC = re.compile(
    rf"(?<![\w-])(?:{_PUBLIC_MODEL.pattern}{_SIZE}|random forests?|gradient[- ]boost\w*|xgboost|lightgbm|catboost"
    r"|support[- ]vector \w+|svms?|logistic regressions?|(?:efficient|dense|res|mobile|alex)net\S*|vgg\S*|inception\S*"
    r"|lstms?|(?:established|standard|common|popular|existing) (?:\w+[- ]){0,3}(?:algorithms?|models?|classifiers?))"
    r"(?![\w-])",
    re.IGNORECASE,
)
