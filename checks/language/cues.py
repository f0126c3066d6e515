"""What shows that a sentence directs its reader, describes data, leaves free, or forbids.

The idea: each pattern is one kind of evidence, and none decides by itself; :mod:`checks.language.guidance` weighs them.
"""

from __future__ import annotations

import re

from checks.language.patterns import later

# ruff: noqa: E501 -- patterns are read more easily on one line
METHOD_VERBS = (
    "use|re-?use|train|retrain|pre-?train|fine-?tune|apply|adopt|employ|utili[sz]e|leverage|exploit|try|consider|build|implement|fit|choose|pick|prefer|favou?r|select|"
    "start|begin|initiali[sz]e|warm-?start|combine|ensemble|stack|average|bag|prompt|optimi[sz]e|minimi[sz]e|maximi[sz]e|augment|encode|embed|featuri[sz]e|parametri[sz]e|parameteri[sz]e|"
    "represent|feed|pass|replace|swap|add|append|insert|attach|set|keep|fix|stop|regulari[sz]e|tune|run|learn|construct|design|make|rely|opt|go|think|turn|treat|model|process|handle|"
    "approach|tackle|solve|address|extend|stick|aim|pair|couple|couch|cast|formulate|follow|look|explore|experiment|freeze|unfreeze|distil+|denoise|sample|do|perform|include|put|take|work|plug|lean|draw\\s+on|"
    "be\\s+sure|make\\s+sure|remember|weight|oversample|weigh|schedule|anneal|decay|clip|evolve|search|invest|equip|resort|reach|stay|let|have|allow|give|create|develop|base|default"
)
TASK_VERBS = (
    "predict|estimate|classify|segment|detect|forecast|reconstruct|generate|identify|infer|recover|denoise|impute|annotate|label|assign|rank|score|compute|calculate|"
    "extract|align|integrate|cluster|downscale|simulate|produce|translate|summari[sz]e|find|obtain|map|regress|design|determine|derive|answer|separate|approximate|deconvolve|register|"
    "count|locate|track|propose|discover|emulate|match|tag|control|plan|improve|correct|remove|normali[sz]e|split|evaluate"
)
PARTICIPLES = (
    "used|re-?used|trained|retrained|pre-?trained|fine-?tuned|applied|adopted|employed|utili[sz]ed|leveraged|tried|considered|built|implemented|fitted|fit|chosen|picked|preferred|favou?red|"
    "initiali[sz]ed|combined|ensembled|stacked|optimi[sz]ed|minimi[sz]ed|augmented|encoded|embedded|parametri[sz]ed|parameteri[sz]ed|represented|fed|passed|replaced|added|set|kept|fixed|"
    "stopped|regulari[sz]ed|tuned|run|learned|learnt|constructed|designed|made|modelled|modeled|processed|handled|solved|tackled|approached|addressed|treated|predicted|estimated|classified|segmented|"
    "detected|forecast|reconstructed|generated|inferred|extracted|denoised|imputed|clustered|downscaled|decoded|obtained|done|performed|sampled|averaged|weighted|computed|produced|captured|"
    "exploited|trusted|fused|chunked|transferred|described|explored|frozen|selected|included|scheduled|annealed|decayed|clipped|removed|based|explained|separated|learned|approximated|started|dealt|emulated|integrated|corrected|found|derived|translated|summari[sz]ed|identified"
)
ADVERBS = r"(?:(?:please|first|then|next|finally|also|instead|just|simply|always|preferably|ideally|alternatively|otherwise|secondly|thirdly|afterwards|now|better|best|further|additionally|hint|tip|note|advice|recommendation|suggestion|step\s+\w+|\d+[.)])[,:]?\s+)"
INTRO = r"(?:(?:for|in|on|at|to|with|after|before|once|if|when|as|since|because|given|from|during|where|by|due|despite)\b[^,;:]{1,120},\s+)"
IMPERATIVE = later(
    rf"^[\s\"'(“]*(?:{ADVERBS}){{0,3}}{INTRO}?(?:{ADVERBS}){{0,2}}(?:{METHOD_VERBS})\b(?!\s*[:=|]|\s+(?:is|are|was|were|of\s+the\s+forest)\b)",
    re.IGNORECASE,
)
COORDINATED = later(
    rf"(?:,\s+|\b(?:and|then|or|to|can|could|not|simply|either)\s+)(?:{ADVERBS})?(?:{METHOD_VERBS})\b(?!\s+(?:is|are|was|were)\b)",
    re.IGNORECASE,
)
TASK = later(rf"^[\s\"'(“]*(?:{ADVERBS}){{0,3}}{INTRO}?(?:{TASK_VERBS})\b", re.IGNORECASE)
INSTRUMENT = later(
    r"\b(?:with|using|via|by|through|by\s+means\s+of|based\s+on|on\s+top\s+of|as|employing|applying|leveraging|from|under)\s+(?:[^,;]{0,60}\s)?$",
    re.IGNORECASE,
)
MODAL = later(
    rf"\b(?:should|must|ought\s+to|shall|has\s+to|have\s+to|needs?\s+to|had\s+better|is\s+to|are\s+to|can\s+(?:best|most|easily|simply|well)|(?:is|are)\s+(?:best|most\s+\w+ly|better|usually|typically|commonly|normally|often|well|ideally|preferably|naturally|easily|to\s+be))\s+"
    rf"(?:\w+ly\s+|first\s+|best\s+|then\s+|also\s+|rather\s+|already\s+|still\s+|even\s+|do\s+)?(?:be\s+(?:\w+ly\s+|best\s+|first\s+)?(?:{PARTICIPLES})\b|be\s+(?:an?|the|your|based|of|at|between|in|around|about|\d)\b|come\s+from|(?:{METHOD_VERBS}|consist|contain|rely|have|comprise|feature|benefit|employ|involve|depend|serve)\b|(?:{PARTICIPLES})\b)",
    re.IGNORECASE,
)
TASK_MODAL = later(
    rf"\b(?:should|must|shall|can|could|may|might|has\s+to|have\s+to|needs?\s+to|is\s+to|are\s+to)\s+(?:be\s+(?:\w+ly\s+)?(?:{PARTICIPLES}|\w+(?:ed|en))|(?:{TASK_VERBS}))\b",
    re.IGNORECASE,
)
ADVICE = later(
    r"\b(?:we|i|experts?|practitioners|experience|the\s+organi[sz]ers|the\s+literature)\s+(?:strongly\s+|highly\s+|would\s+|generally\s+|also\s+)?(?:recommends?|suggests?|advis\w+|encourag\w+|propos\w+|urges?|favou?rs?|prefers?|expects?)\b"
    r"|\b(?:is|are|it'?s|be|being|seems?|would\s+be|might\s+be|may\s+be|can\s+be)\s+(?:\w+ly\s+)?(?:advis\w+|recommend\w+|suggest\w+|encourag\w+|preferable|preferred|advantageous|beneficial|worthwhile|worth|sensible|wise|prudent|helpful|useful|ideal|indicated|appropriate|effective|crucial|essential|necessary|important|key|vital|natural|expected|required|sufficient|enough|standard|customary|common\s+practice|a\s+must|good\s+practice|mandatory)\b"
    r"|\b(?:recommended|suggested|preferred|advised|ideal|optimal|suitable|appropriate)\s+(?:\w+\s+)?(?:architecture|model|method|approach|choice|optimi[sz]er|backbone|network|setting|settings|hyper-?parameters?|configuration|recipe|pipeline|strategy|solution|starting\s+point|learning|batch|loss|encoder|values?|baseline)\b"
    r"|\b(?:good|great|natural|sensible|strong|safe|obvious|solid|best|better|reasonable|right|promising|popular|suitable|excellent|viable|usual|wise|attractive|favou?rite|default)\s+(?:first\s+)?(?:choices?|options?|idea|starting\s+points?|start|fit|candidates?|bet|way|strategy|solution|tool|baseline\s+to\s+start|place\s+to\s+start|recipe|match|pick|practice|alternative|architecture|approach)\b"
    r"|\b(?:works?|perform(?:s|ed)?|do(?:es)?|fares?|suits?|fits?|excels?|scales?|generali[sz]es?)\s+(?:\w+\s+)?(?:well|best|better|nicely|superior|these\s+data|here)\b|\b(?:best|well|better|ideally|perfectly|naturally)[\s-]+suited\b|\blends?\s+(?:itself|themselves)\b"
    r"|\b(?:outperform|improve|boost|help|beat|surpass|excel|raise|dominate|suffice)s?\b|\b(?:requires?|calls?\s+for|asks?\s+for|demands?|needs?|benefits?\s+from|profits?\s+from|warrants?|favou?rs)\s+(?:the\s+use\s+of\s+)?"
    r"|\b(?:method|model|tool|architecture|approach|algorithm|network)s?\s+of\s+choice\b|\bstate[\s-]of[\s-]the[\s-]art\b|\b(?:key|trick|secret|idea|recipe|way|answer|solution)\s+(?:is|lies|here|to\s+success)\b"
    r"|\b(?:you|one|solvers?|participants?|solutions?|agents?|submissions?|users?|teams?)\s+(?:can|could|might|may|will|would|want\s+to|are\s+(?:free|welcome|encouraged|invited)\s+to)\b(?!\s+not)"
    r"|\b(?:would\s+)?makes?\s+sense\b|\b(?:would|will)\s+(?:both\s+|also\s+|easily\s+)?(?:do\b(?!\s+(?:not|so))|be\s+(?:fine|enough|ideal|best|good))|\bgets?\s+you\b|\b(?:helps|pays|makes\s+sense|suffices|is\s+enough)\s+to\b|\b(?:task|goal|aim|objective|challenge|point|job|plan)\s+is\s+to\s+(?:"
    + METHOD_VERBS
    + r")\b|\bwill\s+(?:\w+ly\s+|often\s+)?(?:find|do|give|get|help|improve|work|reach|solve|learn|capture|beat|perform|suffice|produce|need|be\s+(?:needed|enough|hard\s+to\s+beat))\b|\bmakes?\b[^.]{0,60}\b(?:attractive|suitable|natural|promising|competitive|ideal|sensible|strong)\b|\b(?:and|also|strongly|highly|warmly)\s+(?:recommended|advised|encouraged|suggested|preferred)\b|\b(?:is|are)\s+(?:\w+ly\s+)?(?:favou?red|competitive|attractive|promising|powerful|popular|hard\s+to\s+beat|the\s+way|what\s+(?:we|you|one|works))\b|\bwe(?:'d|\s+would)\b|\bwhy\s+not\b|\bhow\s+about\b|\blet(?:'s|\s+us)\b|\bgo\s+(?:for|with)\b|\bhint\b|\btip\b|\badvice\b"
    r"|\bmay\s+be\s+(?:used|tried|trained|applied|fine-?tuned|needed)\b|\b(?:can|could|might)\s+(?:also\s+|then\s+|easily\s+)?be\s+(?:used|tried|trained|applied|fine-?tuned|solved|tackled|modelled|modeled|handled|improved|captured|learned|treated)\b|\bthe\s+use\s+of\b[^.]{0,60}\bis\s+(?:\w+ly\s+)?encouraged\b|\bin\s+our\s+experience\b|\b(?:has|have)\s+(?:\w+ly\s+|often\s+|been\s+)?(?:proven|proved|shown|turned\s+out|worked|helped|found\s+to)\b",
    re.IGNORECASE,
)
SOLVER = later(
    r"^[\s\"'(“]*(?:(?:here|in\s+short|overall|internally|briefly|concretely)[,:]?\s+)?(?:the|your|our|a|this|that|its|their)\s+(?:(?:proposed|final|main|underlying|neural|deep|learned|best|original|winning|reference|published|whole|full|intended|expected|core|predictive|generative|statistical|required|target|base|ideal|optimal|top|leading|new|prediction)\s+){0,2}"
    r"(?:models?|networks?|methods?|approach|solutions?|solver|architecture|algorithm|framework|pipeline|system|encoder|decoder|backbone|generator|classifier|predictor|regressor|optimi[sz]er|loss(?:\s+function)?|objective|training(?:\s+\w+)?|learner|agent|policy|learning\s+rate|batch\s+size|number\s+of\s+\w+|hyper-?parameters?)\s+"
    r"(?:is|are|uses?|consists?|combines?|has|have|contains?|employs?|relies|rely|comprises?|includes?|was|were|used|consisted|combined|employed|runs|builds|follows|takes|learns|trains|applies|stacks|adopts|couples|starts|operates|performs|minimi[sz]es|optimi[sz]es|then|first|also|encodes|embeds|processes|models)\b",
    re.IGNORECASE,
)
WE = later(
    r"\b(?:we|they|i|authors|researchers)\s+(?:then\s+|first\s+|also\s+|here\s+|now\s+|\w+ly\s+)?(?:use|train|pre-?train|fine-?tune|apply|employ|adopt|build|propose|introduce|optimi[sz]e|minimi[sz]e|fit|present|design|develop|combine)\b",
    re.IGNORECASE,
)
WE_DID = later(
    r"\b(?:we|they|i|authors|researchers)\s+(?:then\s+|first\s+|also\s+|here\s+|\w+ly\s+)?(?:used|trained|pre-?trained|fine-?tuned|applied|employed|adopted|built|proposed|introduced|optimi[sz]ed|minimi[sz]ed|fitted|presented|designed|developed|combined)\b",
    re.IGNORECASE,
)
BEST_RESULT = later(
    r"\b(?:best|highest|top|winning|leading|strongest|record|lowest|current|published|reported)\s+(?:\w+\s+){0,2}(?:results?|scores?|performance|accurac\w+|entr\w+|solutions?|errors?|values?|methods?|models?|approach\w*)\b|\b(?:was|were|been)\s+(?:\w+\s+)?(?:solved|tackled|beaten|won|outperformed)\b",
    re.IGNORECASE,
)
LABEL = later(
    r"^[\s\"'(“]*(?:(?:recommended|suggested|preferred|proposed|possible|example|default|typical|best|our|training|optimal|baseline|reference|key|main|advised|sample|model)\s+){0,3}"
    r"(?:architectures?|optimi[sz]ers?|models?|methods?|approach(?:es)?|backbones?|networks?|hyper-?parameters?|settings?|training(?:\s+\w+)?|recipes?|loss(?:\s+functions?)?|algorithms?|regressors?|classifiers?|encoders?|decoders?|solvers?|strateg(?:y|ies)|schedules?|baselines?\s+to\s+start\s+from|pipelines?|techniques?|hints?|tips?|configurations?|augmentations?|regulari[sz]ation|implementation|starting\s+points?)\s*(?:\([^)]{0,40}\)\s*)?[:=|–—-]",
    re.IGNORECASE,
)
FREE = later(
    r"\b(?:any|every|all|other|whatever|whichever)\s+(?:kinds?\s+of\s+|other\s+|sorts?\s+of\s+|suitable\s+)?(?:method|approach|architecture|model|algorithm|technique|optimi[sz]er|network|learner|loss|software|tool|library|hyper-?parameter|strategy|framework)s?\b|\b(?:free|freely|liberty)\s+(?:to\s+(?:choose|pick|use\s+any)|choice)\b|\bup\s+to\s+(?:you|the\s+\w+)\b|\bof\s+your\s+(?:own\s+)?choice\b|\byour\s+choice\b|"
    r"\bno\s+(?:particular|specific|special|fixed|prescribed|single|preferred|restriction|constraint|requirement|need|assumption)\w*\b|\b(?:is|are)\s+not\s+(?:\w+\s+)?(?:required|prescribed|needed|necessary|mandatory|fixed|assumed|expected|imposed|specified|restricted|limited|obligatory)\b|\b(?:need|needs)\s+not\b|\b(?:do|does)\s+not\s+(?:have|need)\s+to\b|\bnot\s+(?:restricted|limited|bound|tied)\s+to\b|\bneither\b|\bno\s+\w+(?:\s+\w+){0,2}\s+(?:is|are)\s+(?:required|needed|necessary|prescribed|assumed)\b|\bwhether\b|\bregardless\b|\birrespective\b|\bdoes\s+not\s+matter\b|\bnothing\s+(?:is\s+)?(?:prescribe|require|said|assume)\w*\b|\bwithout\s+(?:any\s+)?(?:prescri|restrict|prefer)\w*",
    re.IGNORECASE,
)
EXAMPLE = later(
    r"\b(?:e\.g\.|such\s+as|for\s+example|for\s+instance|including|like|preferably|ideally|we\s+recommend|works?\s+best)\b",
    re.IGNORECASE,
)
FORBIDDEN = later(
    r"\b(?:do\s+not|don't|never|must\s+not|should\s+not|shouldn't|may\s+not|cannot|can\s+not|not\s+allowed|forbidden|prohibited|not\s+permitted|disallowed|is\s+not|are\s+not|avoid|(?:has|have|contains?)\s+no)\b",
    re.IGNORECASE,
)
TURN = later(
    r"(?:;|(?:,\s*|\s)(?:but|although|though|however|yet|whereas|while|nevertheless)\b|\s[–—]\s|:\s(?=\S+\s\S+\s\S+))",
    re.IGNORECASE,
)
NOUN = (
    r"(?:evaluat(?:or|ion)|scorers?|oracles?|simulators?|metrics?|judge|referee|scores?|labels?|annotations?|embeddings?|features|masks?|profiles|images|scans|structures|sequences|cells|spectra|readers?|experts?|ground\s+truth|datasets?|data|column|files?|fields?|array|table|archive|targets?"
    r"|samples?|trajectories|predictions|values|pairs|clusters?|coordinates|contours|segments|positions|weights|rows?|vectors?|entries|tokens|inputs|answers|activations|logits|notes|curves|points|tracks|reanalysis|instrument|catalogue|names|tags|types|molecules|reference|references|perplexity|distance|panel|inputs?|states|events|charges|boundaries|domains|helices|residues|categories|texts?|results?|sentences|proteins|genes|compounds|crystals|energies|forces|descriptors|representations|thermostat|software|tool|platform|registry|network\s+weights|checkpoint)"
)
THEIRS = later(
    rf"(?:\b{NOUN}\b|¤+|\b[\w/-]+\.(?:pt|pth|npy|npz|csv|h5|json|ckpt|bin|pkl|zip|tsv|txt)\b)(?:\s+[\w(,)'/.¤-]+){{0,8}}?\s+(?:is|are|was|were|comes?|came|holds?|contains?|has|have|had|uses?|used|stems?|originates?|gives?|lists?|runs?|loads?|calls?|assimilates?|stores?|follows?|consists?)\b",
    re.IGNORECASE,
)
OF_DATA = later(
    r"^(?:-based)?\s+(?:\w+\s+)?(?:embeddings?|features|oracles?|scores?|scorers?|predictions|labels?|weights|annotations?|activations|outputs|logits|likelihoods|representations|checkpoints?)\b(?!\s+(?:make|work|give|help|are\s+(?:strong|good|a\s)))[^.]{0,80}\b(?:is|are|was|were|in|for\s+(?:each|all|every))\b",
    re.IGNORECASE,
)
DATA_SUBJECT = later(
    rf"^\s*(?!(?:in|on|for|with|by|of|at|from|as|to)\b)(?:(?:the|all|each|every|some|most|these|those|both|any|its|their)\s+)?(?:\w+\s+){{0,2}}?{NOUN}\b",
    re.IGNORECASE,
)
TO_BE_USED = later(
    r"\b(?:be\s+(?:used|trained|applied|adopted|employed|exploited|leveraged|considered|fine-?tuned|preferred|tried|chosen|combined)|serve)\b",
    re.IGNORECASE,
)
NEW_SUBJECT = later(
    r",\s+(?:an?|the|you|we|one|your|our|this|such|transfer|use|train|apply|try|consider)\b", re.IGNORECASE
)
INTRODUCED = later(rf"^\s*{INTRO}", re.IGNORECASE)
POSSIBLE = later(r"\b(?:can|could|may|might|should|must|shall|would|ought|will)\b(?!\s+have\b)", re.IGNORECASE)
LIBRARY = later(r"XGBoost|LightGBM|CatBoost|transformers|adapters?", re.IGNORECASE)
LIBRARIES = later(
    r"\b(?:installed|environment|packages?|librar(?:y|ies)|numpy|pandas|scipy|scikit-learn|sklearn|pytorch|torch|pip|import(?:s|ed)?)\b",
    re.IGNORECASE,
)
HAS_BEEN = later(r"\b(?:has|have)\s+(?:\w+ly\s+)?(?:been|become)\b", re.IGNORECASE)
PROVIDED = later(
    r"\b(?:provided|given|supplied|included|enclosed|shipped|precomputed|these|attached)\s+(?:[\w-]+\s+){0,2}$",
    re.IGNORECASE,
)
IS_PROVIDED = later(
    r"^[^,;]{0,60}?\b(?:is|are)\s+(?:also\s+)?(?:provided|given|supplied|included|enclosed|shipped|available|attached|part\s+of)\b",
    re.IGNORECASE,
)
SCORING = later(r"\b(?:oracles?|scorers?|evaluators?|simulators?|perplexity|Fr[eé]chet|FID|metric)\b", re.IGNORECASE)
NEUTRAL = later(
    rf"^[\s\"'(“]*(?:{ADVERBS}){{0,2}}(?:load|read|write|save|compare|report|see|note|submit|return|ignore|hand\s+in|open|store|list|count|name|state|give|call|skip|do\s+not|tell|decide|{TASK_VERBS})\b",
    re.IGNORECASE,
)
WEAK = later(
    r"convolutions?|(?:temporal|spatial|channel)\s+attention|PCA|UMAP|t-SNE|principal\s+components?.*|random\s+walks?|(?:k-?)?nearest.*|MCMC|Markov.*|Langevin.*|Metropolis.*|replica.*|umbrella.*|metadynamics|Gibbs.*|parallel.*|(?:linear|logistic|Poisson|polynomial|quantile|Cox|multinomial)\s.*|(?:mixed|generali[sz]ed|proportional).*|hidden\s+Markov.*|diffusion\s+models?"
    r"|mixture.*|matrix.*|optimal\s+transport|spectral.*|one-hot.*|augment\w*|class.weight\w*|(?:importance|negative)\s+sampling|fine-?tuned|contrastive|wavelet.*|.*fingerprints?|adapters?|bagging|.*(?:hierarch).*|.*majority.*|teacher.*|spiking.*|oversampl\w+|gradient\s+descent|Kalman.*|active\s+learning|imitation.*|dropout|meta.learning|CLIP|SAM|variational.*|expectation.*|simulated\s+annealing|genetic.*|evolutionary.*|hyper-?parameter\s+search|random\s+search|grid\s+search|adversarial.*|k-?means|decision.trees?|positional.*|reinforcement\s+learning|continual.*|federated.*",
    re.IGNORECASE,
)
"""What is a matter of the science as often as of a model: only a directive makes it guidance."""
AUXILIARY = later(
    r"\b(?:is|are|was|were|has|have|had|does|did|will|would|can|could|may|might|shall|should|must)\b", re.IGNORECASE
)
FINITE = later(
    r"\b(?:is|are|was|were|be|been|has|have|had|does|do|did|will|would|can|could|may|might|shall|should|must|comes?|came|gives?|gave|shows?|holds?|contains?|uses?|used|\w{3,}ed)\b",
    re.IGNORECASE,
)
PAST = later(
    r"\b(?:was|were|had|have\s+been|has\s+been|did|came|stemmed|relied|employed|served|reached|gave|took|ran|showed|made|underwent|followed|assigned|annotated|selected|computed|measured|produced|voted|began|chose|drew|found|took|wrote)\b(?!\s+by)"
    r"|(?<!is\s)(?<!are\s)(?<!be\s)\b\w+s\s+(?:used|applied|trained|learned|employed)\b",
    re.IGNORECASE,
)
WEIGHTS = later(
    r"\.(?:pt|pth|ckpt|onnx|safetensors|joblib|keras|pb|tflite|model|gguf)$|(?:weight|model|checkpoint|pre-?train|embed|encoder|backbone)[^/]*$",
    re.IGNORECASE,
)
NAMED = later(
    r"\b(?:columns?|fields?|keys?|files?|variables?|arrays?|folders?|tables?|features?|attributes?|called|named|flags?|types?|categor(?:y|ies)|classes|class|values?|nodes?|entr(?:y|ies)|ids?)\s+(?:\w+\s+)?$",
    re.IGNORECASE,
)
IMPERATIVE_RECIPE = later(r"^\s*(?:fine-?tune|pre-?train)\b", re.IGNORECASE)
PRAISE = later(
    r"\b(?:strong(?:er|est)?|best|better|well|fast(?:er|est)?|good|great|effective\w*|efficien\w+|powerful|robust(?:ly)?|accurate(?:ly)?|attractive|successful\w*|succeed|easily|easy|easier|quick\w*|far|cheap\w*|enough|competitive|promising|superior|simpl(?:e|er|est)|natural(?:ly)?|reliabl[ey]|state[\s-]of[\s-]the[\s-]art|win(?:s|ning)?|by\s+construction|out\s+of\s+the\s+box|nicely|decent|safest?|safer|shines?|wonders)\b"
    r"|\b(?:lift|boost|save|solve|avoid|keep|help|handle|capture|cut|reduce|pay|improve|ease|raise|mitigate|overcome|cope|deal|speed|digest|recover|exploit|unlock|squeeze|enable|tackle|address|deliver|yield|reach|learn)s?\b|\bpays?\s+off\b",
    re.IGNORECASE,
)
BARE_VERB = later(
    r"^[\s\"'(“]*(?!(?:In|For|On|At|With|From|By|To|As|If|When|While|After|Before|Since|Because|Given|Although|Though|Both|Each|All|Some|Most|Many|One|Here|There|Only|Not|Such|Under|Over|Within|Between|Among|During|Through|Like|Unlike|Out|Half|Part|Even|Also|Than|That|What|Which|Who|How|Where|Whether|Per|Data|Either|Neither|Upon|Without|Along|Despite|Together|The|A|An|This|These|Those|Their|Its|Our|Any|No|Every|It|They|We|You|Work|Evidence|Access|Noise)\b)"
    r"[A-Z][a-z]*(?:-[a-z]+)?(?<![^s]s)(?<!ed)(?<!ing)(?<!ion)(?<!ity)(?<!ment)(?<!ness)(?<!ance)(?<!ence)(?<!er)(?<!or)(?<!ly)\s+(?:the|an?|your|each|every|all|both|this|these|it|them|\w+ly|by|with|from|against|two|three|several|\w+\s+(?:against|by|with|from|into))\b"
)
CODE_WORDS = later(
    r"\b(?:torch\.optim|optim|optax|keras\.optimizers|optimizers)\.\w+|\b(?:Adam|AdamW|SGD|RMSprop)\s*\(|\bnn\.(?:Transformer|LSTM|GRU|RNN|Conv|MultiheadAttention|Dropout|BatchNorm|LayerNorm|Sequential)\w*|\b(?:GCNConv|GATConv|SAGEConv|MessagePassing|AutoModel\w*|UNet\w*|resnet\d+)\b"
    r"|\b(?:RandomForest|ExtraTrees|GradientBoosting|HistGradientBoosting|AdaBoost|XGB|LGBM|CatBoost|SVC|SVR|MLP|KNeighbors|GaussianProcess|LogisticRegression|LinearRegression|Ridge|Lasso|ElasticNet|KMeans)\w*\s*\("
    r"|\b(?:lr|learning_rate|LR|LEARNING_RATE|weight_decay|dropout|n_epochs|num_epochs|epochs|EPOCHS|N_EPOCHS|batch_size|BATCH_SIZE|n_estimators|max_depth|hidden_size|hidden_dim|d_model|num_layers|num_heads)\s*[:=]\s*[\d.]+(?:e-?\d+)?"
)
