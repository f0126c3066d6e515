"""Names by which published resources go: ontologies, code systems, reference genomes, scales of amino acids, and so on.

The one idea: whoever works in a field takes the same few resources from elsewhere, and leaves them under the names that
they came with. Such a name speaks for ``external_resource``; by itself it decides nothing, since tables that were made
with a resource bear its name, too.
"""

from __future__ import annotations

import re

_FAMILIES: dict[str, str] = {
    "a network published elsewhere": (
        r"resnet-?\d+|vgg-?\d+|bert-base|biobert|scibert|pubmedbert|clinicalbert|esm\d|esm-msa|esm-?1[bv]|prot-?t5|prot-?bert|"
        r"imagenet|inception-?v\d|efficientnet|mobilenet|densenet\d+|\bvit-|\bclip-|roberta|gpt2|yolov\d|\bswin-|chemberta|"
        r"dnabert|scgpt|geneformer|alphafold-params|openfold|sam-vit"
    ),
    "word vectors or a tokenizer published elsewhere": (
        r"glove\.\d+b|wiki-news|googlenews|fasttext|wiki\.\w+\.(vec|bin)|biowordvec|spiece\.model|sentencepiece|merges\.txt|"
        r"stop-?words|contractions|wordnet|conceptnet|sentiwordnet|framenet"
    ),
    "an ontology or annotation of genes": (
        r"go-basic|\bgo\.obo|\bhp\.obo|\bhpo?\.(obo|txt)|\.obo$|\.owl$|\bgoa-|\.gaf$|gene2go|gene2pubmed|gene-?info|gene-?ontology|"
        r"\bgo-?(terms?|annotations?|slim|names?)|phenotype\.hpoa|genes-to-phenotype|mondo|doid|uberon|cell-?ontology|\befo\b|"
        r"interpro|uniprot|\bpfam|swissprot|entrez|ensembl|gencode|refseq|hgnc|homologene|orthologs?\b|biomart"
    ),
    "a set of genes or pathways": (
        r"\.gmt$|msigdb|hallmark|\bc[1-8]\.(all|cp|go|cgp)|reactome|\bkegg|wikipathways?|pathway-?commons|"
        r"cancer-?gene-?census|oncokb|imprinted-genes|house-?keeping|cell-?cycle-genes|l1000-?(genes|landmark)|landmark-genes"
    ),
    "a network of molecules": (
        r"biogrid|\bstring-?(db|ppi|v\d+)|9606\.protein|\bhprd|hippie|inbiomap|\bhuri\b|trrust|dorothea|regnetwork|omnipath|"
        r"cellphonedb|cellchat|ligand-?receptor|\blr-?pairs|hetionet"
    ),
    "a reference of sequences": (
        r"\bhg(19|38)|\bmm(9|10|39)|grch3[78]|chrom(osome)?\.?-?sizes?|chrom-?info|cytoband|black-?list.*\.bed|jaspar|hocomoco|cis-?bp|"
        r"phastcons|phylop|gnomad|clinvar|blosum|\bpam\d+|aa-?index|amino-?acid-?(prop|scale|index)|aa-?prop|codon-?(table|usage)|"
        r"substitution-?matrix|elm-classes|\bscope?-|\bcath-|pseudo-?sequences?"
    ),
    "a system of codes": (
        r"\batc\b|\bndc\b|rxnorm|rxcui|icd-?-?(9|10|o)|\bccs\b|snomed|\bumls|mesh-?(terms|tree|desc|id)|loinc|meddra|country-?codes?|"
        r"\bfips\b|zip-?codes?"
    ),
    "properties of elements or groups": (
        r"atom-init|periodic-?table|\bptable|element(s|al)?-?(prop|data|info|feature|table)|all-elements|magpie|oliynyk|matscholar|mat2vec|"
        r"elem-?(prop|embed)|onehot-?elem|ionic-?radi|electronegativ|isotopes?|solvents?-?(prop|desc|list)|smarts|maccs|"
        r"functional-?groups?|fpscores|sa-?score|\bpains\b|force-?field|\bgaff|amber\d|charmm"
    ),
    "an atlas or template": (
        r"\bmni-?\d*|\baal\d?\b|schaefer|harvard-?oxford|brodmann|icbm|colin27|fsaverage|\batlas|parcellation|-template\.nii"
    ),
}
"""What a resource is, and its names with ``-`` for ``_``."""
_PATTERNS = [(re.compile(pattern, re.IGNORECASE), what) for what, pattern in _FAMILIES.items()]


def published_as(name: str) -> str:
    """What a file's name says it is, of what is published elsewhere; empty where it says nothing of the kind."""
    plain = name.replace("_", "-")
    return next((what for pattern, what in _PATTERNS if pattern.search(plain)), "")
