"""The words for how a model is made: architectures, optimisers, recipes, and hyperparameters with their values.

The idea: many of them are everyday words elsewhere (a transformer station, attention deficit, random forest plots,
dropout events, epochs of sleep). Such phrases are masked first, so that the lexicon itself can stay plain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from checks.language.patterns import later

Kind = Literal["architecture", "optimiser", "recipe", "hyperparameter"]

# ruff: noqa: E501 -- a lexicon is read more easily in long lines
_EVERYDAY = later(
    r"""
    \b(?:power|voltage|current|distribution|instrument|step-?(?:up|down)|grid|isolation|pole|oil[- ]\w+|three-phase|traction|pulse|audio|flyback|\d+\s*[kM]VA)[\s-]+transformers?\b
    | \btransformers?[\s-]+(?:stations?|substations?|oils?|coils?|windings?|cores?|loads?|ratios?|failures?|faults?|houses?|tanks?|id|capacity|temperature|ratings?|losses|of\s\d+\s?[kM]VA)\b
    | \btransformers?\s+(?:at|of|in|on)\s+(?:the\s+|each\s+|a\s+)?(?:sub-?stations?|station|grid|network\sof\slines|feeders?)\b
    | \battention[\s-]+(?:deficit|span|tasks?|test|disorder|bias|scores?\sof\s(?:children|patients|participants))\b | \bpay(?:s|ing)?\s+(?:\w+\s+)?attention\b
    | \brandom[\s-]+forest[\s-]+(?:plots?|stands?|sites?|patch(?:es)?|areas?|parcels?|locations?|points?|transects?|fragments?|land|inventory|tiles?)\b
    | \brandom[\s-]+forests?\s+(?:in|of|across|from|around|near|along|throughout)\s+(?:the\s+)?(?-i:(?!Python|R\b|Scikit|Spark|Weka|Matlab|Julia|Table|Section|Figure)[A-Z][a-z]+)
    | \bAdam\s+(?:is|was|has|had|and|denotes|stands)\b(?=[^.;]{0,80}\b(?:chambers?|instruments?|detectors?|telescopes?|spectromet\w+|robots?|stations?|sites?|reactors?|vessels?|greenhouses?|rooms?|probes?|cohorts?|volunteers?|participants?|donors?|patients?|persons?|islands?|villages?|cameras?|loggers?|buoys?|satellites?|rovers?)\b)
    | \bdecision[\s-]+trees?\s+(?:of|used\sby)\s+(?:the\s+)?(?:clinic|guideline|triage|physicians?|doctors?|nurses?)\w*
    | \b(?:drop[\s-]?outs?|dropout\s+(?:events?|rates?))\s+(?:of|from|among|in|are|make|is)\b(?!\s*(?:0?\.\d)) | \bdropout\s+events?\b | \bschool\s+dropouts?\b
    | \b\d*\s*epochs?\s+(?:of|lasting)\s+(?!training|fine|pre|optimi|gradient|SGD|Adam|warm)[\w.]+ | \b(?:\d+[\s-]*(?:s|ms|second|minute)|sleep|EEG|MEG|observing|orbital|reference|geological|observation)[\s-]+epochs?\b
    | \bepoch\s+(?:J?\d{4}(?:\.\d)?|of\s+(?:observation|reionization))\b | \bepochs?\s+for\s+each\b
    | \b(?:hot|reaction|filter|purification|LC)[\s-]+(?:adam)\b | \bAdam(?:'s\b|\s+and\s+Eve\b|\s+Smith\b|,?\s+[A-Z]\.|\s+was\s+the\b)
    | \bSGD\s+(?:identifiers?|ids?|database|names?|genes?|dollars?|exchange|prices?|systematic)\b | \b(?:in|to|of|million)\s+SGD\b | \bUSD/SGD\b
    | \b(?:black|green|eastern)\s+mambas?\b | \bmambas?\s+(?:venom|toxin|snake)\w*
    | \bCNN\s+(?:and|or)\s+(?:other|Reuters|BBC|Fox|Daily)\b | \b(?:stories|articles|headlines|news|reports)\s+(?:of|from|by)\s+CNN\b | \bCNN(?:\s*/\s*Daily\s*Mail|/DailyMail|\s+news|\s+articles?|\s+stories)
    | \b(?:drift[\s–-]+|reaction[\s–-]+|heat[\s-]+|Fickian\s+|Brownian\s+|anomalous\s+|advection[\s–-]+)diffusion(?:\s+models?|\s+equations?)?\b | \bdiffusion\s+(?:models?|equations?)\s+of\s+(?:heat|decision|choice|reaction|innovation)\w*
    | \bsimulated\s+annealing\s+(?:furnace|oven|treatment)\b
    | \b(?:forecast|climate|canonical|microcanonical|grand|statistical|conformational|structural|NMR|initial[- ]condition)\s+ensembles?\b | \bensembles?\s+(?:means?|members?|spread|forecasts?|averages?|size|of\s+(?:conformations?|structures|states|simulations|members|forecasts))\b
    | \bnearest[\s-]+neighbou?rs?[\s-]+(?:distances?|interactions?|couplings?|spins?|sites?|atoms?|bonds?|hopping|edges?|graph|lists?|parameters?)\b | \b(?:next-)?nearest[\s-]neighbou?rs?\s+(?:of|in|on)\s+(?:the\s+|a\s+)?(?:lattice|crystal|site|atom)\b
    | \bhidden\s+(?:layers?|units?)\s+of\s+(?:spins?|soil|ice|snow|water|clay|rock)\b
    | \bsupport\s+vectors?\s+(?:construct|plasmid|virus)\w* | \bgenetic\s+algorithms?\s+of\s+(?:life|cells)\b
    | \b(?:linear|logistic)\s+(?:regression\s+)?(?:accelerators?|molecules?|chains?|actuators?)\b
    | \baugmented\s+(?:reality|Dickey|matrix|matrices|plane\s?wave|sixth|wave)\b | \bbreast\s+augmentation\b
    | \bboosting\s+(?:vaccin|dose|immun|antibod|shot|yield|crop)\w* | \bbagging\s+(?:of\s+)?(?:fruits?|grain|seeds?|flowers?|plants?|machines?|lines?)\b
    | \bbatch\s+sizes?\s+of\s+[\d.,]+\s*(?:kg|g|mg|t|l|L|litres?|liters?|m3|tonnes?|tablets?|bottles?|units?|parts?|wafers?)\b
    | \bbeam\s+(?:widths?|search\s+coils?)\s+(?:of\s+)?[\d.]+\s*(?:mm|cm|nm|µm|um|m|deg|degrees?|arcsec)\b
    | \blearning\s+rates?\s+of\s+(?:the\s+|each\s+)?(?:animals?|mice|mouse|rats?|participants?|subjects?|children|pupils|students|monkeys?|birds?)\b
    | \bkernel\s+(?:size|weight|width)s?\s+(?:of\s+)?[\d.]*\s*(?:mm|mg|g|cm)\b | \b(?:maize|corn|wheat|rice|almond|palm)\s+kernels?\b
    | \b(?:inception)\s+(?:of|in|date|report)\b | \bsince\s+(?:its|the|their)\s+inception\b
    | \bperceptrons?\s+of\s+the\s+retina\b | \bTransformers\s+(?:is|movies?|films?|franchise|toys?)\b
    | \bMonte\s+Carlo\s+(?:simulations?|samples?|events?|errors?|data|truth)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ELECTRIC = later(
    r"\b(?:sub-?stations?|voltages?|[kM]VA|feeders?|households?|windings?|overload\w*|switchgear|busbars?|power\s+(?:grid|lines?|supply))\b",
    re.IGNORECASE,
)
_TRANSFORMER = re.compile(r"\btransformers?\b", re.IGNORECASE)

ARCHITECTURE = r"""
    transformers?(?:-based)? | (?:vision|graph|swin|perceiver)[\s-]?formers? | ViTs? | Swin | perceivers?
    | (?:self|cross|multi-?head|graph|sparse|axial|triangle|causal)[\s-]*(?:head\s+)?attention | (?:temporal|spatial|channel)\s+attention | attention[\s-]+(?:mechanisms?|layers?|heads?|modules?|networks?|pooling|blocks?|weights?|gates?)
    | convolution(?:s|al)?(?!\s+(?:of\s+the\s+(?:signal|spectrum|image\s+with\s+the\s+point)|integral|theorem)) | (?:de|graph\s?|Conv)?conv(?:olutional)?\s?nets? | ConvLSTMs? | ConvNeXt
    | CNNs? | RNNs? | LSTMs? | BiLSTMs? | GRUs? | GNNs? | GCNs? | GATs?(?!\s+[ACGT]{3}\b) | GINs?(?=\s+(?:layer|network|encoder|with|on)) | MPNNs? | MLPs? | DNNs? | VAEs? | c?GANs? | FNOs? | PINNs? | SVMs? | SVRs? | SVC | k-?NN | KNN | RBMs? | HMMs? | ODE-?nets?
    | (?:deep|artificial|feed-?forward|recurrent|convolutional|(?:line-?)?graph|residual|Siamese|Hamiltonian|Lagrangian|Hopfield|fully[\s-]connected|capsule|invertible|equivariant|physics-informed|message[\s-]passing|multi-?task|multi-?layer|adversarial|dual-?branch|two-?stream|prototypical|pointer|Cox|mixture[\s-]density|Kolmogorov[\s–-]+Arnold|long\s+short-term\s+memory|SE\(3\)\S*|E\(3\)\S*|E\(n\)\S*|attention-based)[\s-]+(?:(?:neural|convolutional|attention|equivariant|graph|regression|policy|isomorphism)[\s-]+){0,2}(?:net(?:work)?s?|nets)(?!\s+of\s+(?:roads?|hospitals?|stations?|people|rivers?|sites|cells|streets))
    | graph\s+encoders? | (?:spherical\s+)?Fourier\s+layers? | knowledge\s+graph\s+embeddings | hierarchical\s+transformers? | neural\s+(?:networks?(?!\s+levels?)|nets?|operators?|fields?|ordinary\s+differential\s+equations?|ODEs?|processes|potentials?|radiance\s+fields?) | deep\s+(?:learning|kernels?|sets|ensembles?|models?|encoders?)
    | message[\s-]passing(?!\s+(?:between|interface)) | auto-?encoders? | encoder[\s–-]+decoders? | (?:bilinear|linear|convolutional|transformer|graph|sequence|image|text|shared|pretrained|separate)\s+(?:encoders?|decoders?|backbones?) | (?:encoder|decoder|backbone)s?\s+(?:with|of|made)\s
    | (?:multi-?layer\s+)?perceptrons? | generative\s+adversarial | adversarial\s+(?:networks?|autoencoders?)
    | (?:latent\s+|denoising\s+|equivariant\s+|score-based\s+|discrete\s+|conditional\s+)?diffusion\s+(?:models?|networks?|process\s+over) | score-based\s+(?:generative\s+)?models? | normali[sz]ing\s+flows? | flow\s+matching | Boltzmann\s+(?:machines?|generators?) | energy-based\s+models?
    | U-?Nets?(?:\+\+)? | nnU-?Net | ResNets?(?:-?\d+)? | ResNeXt\S* | DenseNets?(?:-?\d+)? | EfficientNets?\S* | VGG(?:-?\d+)? | AlexNet | MobileNet\S* | Inception(?:-?v\d|\s?Net|Time|\s+(?:network|module|block)s?) | DeepLab\S* | YOLO\S* | (?:Mask|Faster)\s+R-?CNN | SegFormer | PointNet\S* | SchNet | MEGNet | M3GNet | CHGNet | PhysNet | EGNN | ALIGNN | LambdaMART | RotatE | (?-i:ComplEx) | TransE | DistMult | DimeNet\S* | PaiNN | NequIP | MACE(?=\s+(?:model|potential|network)) | GraphSAGE | DeepONets? | TabNet | TabPFN | WaveNet | N-?BEATS | S4\s+layers? | Mamba | state[\s-]space\s+(?:layers?|sequence\s+models?)
    | (?:Bio|Clinical|PubMed|Sci|Ro|De|Mol|Prot|DNA|Geo)?(?:BERT|BERTa)(?:[\s-](?:base|large))? | RoBERTa | DeBERTa\S* | GPT(?:-?[\d.]+)? | LLaMA\S* | T5(?:-\w+)? | ESM-?\d?[bvf]?(?:-\d+\w*)? | ProtT5 | CLIP(?=\s) | DINO(?:v2)? | SAM(?=\s+(?:model|encoder|backbone))
    | (?:protein|nucleotide|genomic|DNA|RNA|chemical|large|small|masked|autoregressive|pretrained|clinical|causal|neural)\s+language[\s-]+models?(?:\s+embeddings?)? | language-model\s+embeddings? | LLMs? | foundation\s+models?
    | random[\s-]+forests?(?:\s+(?:classifiers?|regressors?|models?))? | extra(?:mely\s+randomi[sz]ed)?[\s-]trees? | (?:gradient|tree|light|ada|cat|xg)[\s-]?boost(?:ing|ed)?(?:[\s-]+(?:\w+\s+)?(?:trees?|machines?|decision\s+trees?|classifiers?|regressors?|models?))? | boosted\s+(?:\w+\s+)?trees? | XGBoost | LightGBM | CatBoost | AdaBoost | decision[\s-]+(?:trees?|forests?) | tree[\s-]based\s+(?:models?|methods?|ensembles?)
    | support[\s-]+vector\s+(?:machines?|regress\w+|classif\w+) | Gaussian[\s-]+process(?:es)?(?:\s+regress\w+)? | kernel\s+(?:ridge|machines?|regression|methods?|density\s+estimat\w+) | (?:ridge|lasso|elastic[\s-]net|logistic|linear|Poisson|Cox|polynomial|quantile|partial\s+least[\s-]squares|symbolic|stepwise|sparse|Bayesian|penali[sz]ed|multinomial)\s+(?:regressions?|regressors?)(?:\s+models?)? | (?:linear|mixed[\s-]effects|generali[sz]ed\s+(?:linear|additive)|proportional\s+hazards|Cox)\s+(?:mixed\s+)?models?(?=\b) | lasso | elastic[\s-]net | (?:naive|naïve)\s+Bayes | (?:k-?)?nearest[\s-]+neighbou?rs? | k-?means | (?:hidden\s+)?Markov\s+models? | conditional\s+random\s+fields? | factori[sz]ation\s+machines? | matrix\s+factori[sz]ation | ARIMA | Kalman\s+filters? | Prophet(?=\s+model) | linear\s+probe | spectral\s+clustering | mixture[\s-]+(?:of[\s-]+experts|density|models?)
    | (?:affine\s+)?coupling\s+layers? | (?-i:[A-Z]\w*(?:ormer|BERT|GPT|GNN|GCN|CNN|VAE|GAN|LSTM)s?) | (?:skip|residual)[\s-]+connections? | (?:dilated|causal|separable|depthwise|strided|temporal)\s+convolutions? | (?:batch|layer|group|instance)[\s-]?norm(?:ali[sz]ation)? | ReLU | GELU | squeeze-and-excitation | positional\s+(?:encodings?|embeddings?) | hidden\s+layers? | classifi(?:er|cation)\s+heads? | regression\s+heads?
"""
OPTIMISER = r"""
    Adam(?:W|ax|Max|Grad)?(?:-?W)? | Nadam | RAdam | RMS-?[Pp]rop | Adagrad | Adadelta | SGD | Lion(?=\s+optimi[sz]er) | LAMB(?=\s+optimi[sz]er) | L-?BFGS(?:-B)? | BFGS | (?:stochastic\s+|mini-?batch\s+|natural\s+|projected\s+)?gradient\s+(?:descent|ascent) | Nelder[\s–-]+Mead | Levenberg[\s–-]+Marquardt | conjugate\s+gradients?
    | (?:cosine|step|exponential|linear|polynomial|one-?cycle|cyclic(?:al)?)[\s-]+(?:(?:annealing\s+)?(?:learning[\s-]rate\s+)?(?:schedules?|scheduler)|(?:learning[\s-]rate\s+)decay|cosine\s+(?:decay|annealing)) | learning[\s-]rate\s+(?:schedules?|schedulers?|decay|warm-?up|finder) | warm\s?restarts | optimi[sz]er\s+is | gradient\s+(?:clipping|accumulation|checkpointing)
"""
RECIPE = r"""
    learning[\s-]to[\s-]rank | (?:domain-)?adversarial\s+(?:loss|term|objective|training) | pre-?train(?!ed\b|er)(?:ing|s)?\b | fine-?tun(?:e|es|ing|ed)\b(?!\s+(?:directionality|the\s+(?:balance|response|activity|expression|release|level))) | transfer\s+learning | (?:self|semi|weakly)[\s-]supervis(?:ed|ion)(?:\s+(?:learning|pre-?training|training|objective))? | contrastive(?:ly)?(?:\s+(?:learning|loss|objective|pre-?training))? | (?:multi-?task|meta|curriculum|few-shot|active|metric|adversarial|federated|continual|representation|teacher[\s-]student|imitation)[\s-]+(?:learning|training)(?!\s+(?:task\s+in|deficit)) | (?:deep\s+)?reinforcement\s+learning | Q-learning | policy\s+gradients? | actor[\s-]critic | PPO | (?:few|zero)-shot\s+(?:prompt\w*|learning|classification) | in-context\s+learning | prompting(?=\s+(?:an?|the|large|language|with)\b) | chain[\s-]of[\s-]thought | prompt(?:ing)?\s+(?:engineering|tuning) | LoRA | (?:low-rank\s+)?adapters?(?=\s+(?:layers?|tuning)) | knowledge\s+distill\w+ | distill(?:ing|ation)\s+(?:from\s+|of\s+)?(?:a\s+)?(?:large|teacher|bigger)\w*(?:\s+model)? | pseudo-?label(?:s|l?ing)? | self-training | co-training | retrieval[\s-]augment\w+ | masked\s+(?:language\s+|token\s+|image\s+)?model(?:l?ing)\b
    | early[\s-]+stopp?(?:ing|ed)? | (?:data|test-time|image|train(?:ing)?-time|strong|heavy)[\s-]+augmentations? | augment(?:ed|ing)?\b(?!\s+by\s+(?:hand|the\s+authors)) | augmentations? | random\s+(?:flips?|crops?|rotations?|erasing|horizontal)\b[^.;]{0,40} | mix-?up | cut-?mix | oversampl\w+ | SMOTE | class[\s-]weight(?:s|ed|ing)? | (?:negative|importance|hard[\s-]negative)\s+(?:sampling|mining) | teacher\s+forcing | label\s+smoothing | weight\s+averaging | stochastic\s+weight | exponential\s+moving\s+average\s+of\s+(?:the\s+)?weights
    | ensembling | ensembles?(?=\s+(?:several|multiple|the\s+(?:predictions|models|networks|outputs)|(?:of\s+)?(?:\w+\s+){0,3}(?:learning|methods?|models?|classifiers?|networks?|trees?|learners?|regressors?|predictors?|nets?|forests?|transformers?|encoders?|folds|seeds|checkpoints|CNNs|GNNs|MLPs|autoencoders))\b) | (?:model|snapshot|deep|classifier|voting|network)\s+ensembl\w+ | stack(?:ing|ed)(?=\s+(?:models?|classifiers?|generali[sz]ation|ensembles?|regressors?|several|of\s+(?:several|multiple|models?|classifiers|regressors|networks))\b) | bagging | bootstrap\s+aggregat\w+ | majority\s+vot(?:e|ing)\s+of\s+(?:several\s+|multiple\s+)?(?:models|networks)
    | (?:focal|Dice|triplet|hinge|Huber|perceptual|adversarial|quantile|pinball|contrastive|InfoNCE|NT-Xent|margin|ranking|cross[\s-]entropy|reconstruction|cycle[\s-]consistency|physics|L1|L2|MSE|MAE|weighted|auxiliary|smooth\s+L1|evidence\s+lower\s+bound|Wasserstein|spectral|squared[\s-]error)\s+(?:loss(?:es)?|objectives?|penalt(?:y|ies)) | ELBO | loss\s+function
    | dropout | weight\s+decay | L[12]\s+regulari[sz]\w+ | (?:Tikhonov|entropy|total[\s-]variation)\s+regulari[sz]\w+ | teacher\s+models?
    | Bayesian\s+optimi[sz]ation | (?:genetic|evolutionary|memetic)\s+(?:algorithms?|search|programming|strateg(?:y|ies)) | (?:differential\s+evolution|particle[\s-]swarm|CMA-ES|simulated\s+annealing|tabu\s+search|hill[\s-]climbing|random\s+restarts) | Monte\s+Carlo\s+tree\s+search | MCTS | beam\s+search | (?:Hamiltonian\s+Monte\s+Carlo|Markov[\s-]chain\s+Monte\s+Carlo|MCMC|Metropolis\S*\s+(?:sampling|algorithm|updates?|steps?)|Gibbs\s+sampling|parallel\s+tempering|replica\s+exchange|umbrella\s+sampling|metadynamics|Langevin\s+(?:sampling|dynamics)) | variational\s+(?:inference|Bayes) | expectation[\s-]maximi[sz]ation | (?:grid|random|hyper-?parameter)\s+search | nested\s+cross-validation
    | TF-?IDF | (?:sentence|word)\s+embeddings? | word2vec | skip-gram | node2vec | DeepWalk | random\s+walks? | (?:Morgan|ECFP\d?|circular|MACCS)\s+fingerprints? | one-hot\s+encod\w+ | principal\s+components?\s+analysis | PCA | UMAP | t-SNE | independent\s+component\s+analysis | wavelet\s+(?:features|transform) | optimal\s+transport | harmonic\s+mean\s+pooling | mean\s+(?:pooling|aggregation)
"""
_NUMBER = r"(?:\d{1,9}(?:[.,]\d{1,9}){0,3}(?:\s?[eE]\s?[-−–]?\d+|\s*[×x*]\s*10\s?\^?\s?[-−–]?\d+)?|10\s?\^?\s?[-−–⁻]\d+|10⁻\S|\.\d+|one|two|three|four|five|six|eight|ten|twelve|sixteen)"
_STRONG = (
    r"learning[\s_-]*rates?|(?<![\w-])lr\b|(?:mini-?)?batch[\s_-]*sizes?|mini-?batch(?:es)?|weight[\s_-]*decay|drop-?out(?:[\s_-]*(?:rate|probability|ratio|p))?|n_estimators"
    r"|(?:max(?:imum|imal)?[\s_-]*|tree[\s_-]*)depths?|hidden[\s_-]*(?:sizes?|dim(?:ension)?s?|units?|width|layers?|channels?)|(?:embedding|latent|model|feature)[\s_-]*(?:sizes?|dim(?:ension(?:ality)?)?s?)|d_model"
    r"|(?:attention[\s_-]*heads?|num_heads|n_heads)|kernel[\s_-]*size|warm-?up(?:[\s_-]*steps?)?|beam[\s_-]*width|patience|gradient[\s_-]*clipping|grad_clip|label[\s_-]*smoothing"
    r"|(?:num_|n_|max_)?epochs?|num_layers|n_layers|negative[\s_-]*slope|random[\s_-]*crops?\s+of|regulari[sz]ation[\s_-]*(?:strength|weight|parameter|coefficient)|l[12]_reg|n_neighbors|top_k|weight_of_the_loss"
)
_VALUE = re.compile(
    rf"(?P<a>(?:\b(?:{_STRONG}))\s*(?:\(\w+\)\s*)?(?:\s(?:rate|parameter|value)\s)?(?:of|to|=|:|\||is|at|with|below|above|around|about|near|under|between|should\s+be|must\s+be|has\s+to\s+be|be|set\s+to|from|≈|~|<|≤)?\s*(?:set\s+to|about|around|at\s+most|at\s+least|only|roughly|≈|~|between|equal\s+to|to)?\s*{_NUMBER}(?![\w-]*\s*(?:%|kg|mg|mm|nm|°|rows|tablets|litres|patients|participants|subjects)))"
    rf"|(?P<b>\b{_NUMBER}[\s-]+(?:training\s+|warm-?up\s+|hidden\s+|attention\s+|full\s+|convolutional\s+|encoder\s+|decoder\s+|transformer\s+|message[\s-]passing\s+|gradient\s+|optimi[sz](?:er|ation)\s+|Adam\s+|fine-?tuning\s+)*(?:epochs?|attention\s+heads?|(?:latent|embedding)\s+dimensions?|hidden\s+(?:units?|layers?|neurons?|nodes?)|(?:convolutional|encoder|decoder|transformer|message[\s-]passing|GNN|GCN|LSTM)\s+(?:layers?|blocks?)|(?:warm-?up|gradient|optimi[sz]ation|training|fine-?tuning|diffusion|denoising|Adam)\s+(?:steps?|iterations?)|boosting\s+rounds?))\b(?!\s*/)",
    re.IGNORECASE,
)
_LEXICON = re.compile(
    "|".join(
        rf"(?P<{kind}>(?<![\w-])(?:{' '.join(words.split(chr(10)))})(?![\w]))"
        for kind, words in (("recipe", RECIPE), ("optimiser", OPTIMISER), ("architecture", ARCHITECTURE))
    ),
    re.VERBOSE | re.IGNORECASE,
)
_OWN_SPELLING = re.compile(
    r"(?:vit|swin|adam|sgd|gat|gan|gans|cgan|gin|mamba|lasso|clip|dino|sam|mace|prophet|lora|bert|t5|s4|lion|lamb|ppo|svc|prott5|esm|vae|hmms?|gru|fno|pinns?|inception\S*|perceivers?|smote|elbo|pca|gpt|dnns?|cnns?|rnns?|llms?)",
    re.IGNORECASE,
)
"""What is a word in another spelling: counted only with a capital letter."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A word for how a model is made, and where it stands."""

    kind: Kind
    start: int
    end: int


def masked(text: str) -> str:
    """The text with its everyday phrases made unreadable, of the same length."""
    text = _EVERYDAY.sub(lambda match: "¤" * len(match[0]), text)
    if _ELECTRIC.search(text):
        text = _TRANSFORMER.sub(lambda match: "¤" * len(match[0]), text)
    return text


def mentions(text: str) -> Iterator[Mention]:
    """Every mention in a text, in order; everyday phrases are to be masked before."""
    found = [Mention("hyperparameter", match.start(), match.end()) for match in _VALUE.finditer(text)]
    for match in _LEXICON.finditer(text):
        word = match[0]
        if _OWN_SPELLING.fullmatch(word) and word == word.lower():
            continue
        if any(one.start < match.end() and match.start() < one.end for one in found):
            continue
        found.append(Mention(match.lastgroup, match.start(), match.end()))  # type: ignore[arg-type] # a kind's name
    yield from sorted(found, key=lambda one: one.start)
