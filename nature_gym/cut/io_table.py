"""Which calls read, write, copy, delete and download files, and which of their arguments is the path.

The one idea: a call is known by its full name after its imports are undone (``pd.read_csv`` is
``pandas.read_csv``); what is called on an object whose type nobody knows is known by the method's name alone, where
that name is telling (``.to_csv``, ``.savefig``).

The names are those of the libraries' public references.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Action = Literal["read", "write", "copy", "move", "delete", "download", "list"]


@dataclass(frozen=True, slots=True)
class Call:
    """How a call touches files: ``at`` is the place of the path among its arguments, ``names`` its keywords.

    ``at`` of -1 is the object that the method is called on. For ``copy`` and ``move`` the source is at ``at`` and the
    target one further; for ``download`` the target is at ``at``.
    """

    action: Action
    at: int = 0
    names: tuple[str, ...] = ()


_NAMES = (
    "path",
    "file",
    "filename",
    "fname",
    "filepath_or_buffer",
    "path_or_buf",
    "fp",
    "f",
    "filepath",
    "file_path",
    "path_or_buffer",
    "io",
    "source",
    "save_path",
    "excel_writer",
    "uri",
    "root",
    "store",
    "filename_or_obj",
)


def _table(action: Action, at: int, names: str) -> dict[str, Call]:
    return {name: Call(action, at, _NAMES) for name in names.split()}


FUNCTIONS: dict[str, Call] = {
    **_table(
        "read",
        0,
        """
        pandas.read_csv pandas.read_table pandas.read_excel pandas.read_parquet pandas.read_feather pandas.read_json
        pandas.read_hdf pandas.read_pickle pandas.read_fwf pandas.read_stata pandas.read_spss pandas.read_sas
        pandas.read_xml pandas.read_html pandas.ExcelFile pandas.HDFStore pandas.read_orc geopandas.read_file
        dask.dataframe.read_csv dask.dataframe.read_parquet vaex.open modin.pandas.read_csv cudf.read_csv
        polars.read_csv polars.scan_csv polars.read_parquet polars.scan_parquet polars.read_json polars.read_ndjson
        polars.scan_ndjson polars.read_ipc polars.scan_ipc polars.read_excel pyarrow.parquet.read_table
        pyarrow.parquet.ParquetFile pyarrow.csv.read_csv pyarrow.feather.read_table pyarrow.feather.read_feather
        numpy.load numpy.loadtxt numpy.genfromtxt numpy.fromfile numpy.memmap numpy.lib.format.open_memmap
        scipy.io.loadmat scipy.io.mmread scipy.io.wavfile.read scipy.io.arff.loadarff scipy.sparse.load_npz
        mat73.loadmat hdf5storage.loadmat h5py.File tables.open_file tables.openFile zarr.open zarr.open_group
        zarr.open_array zarr.load anndata.read_h5ad anndata.read anndata.read_csv anndata.read_loom
        anndata.read_text anndata.read_mtx anndata.read_zarr scanpy.read scanpy.read_h5ad scanpy.read_10x_mtx
        scanpy.read_10x_h5 scanpy.read_csv scanpy.read_text scanpy.read_loom scanpy.read_mtx scanpy.read_visium
        squidpy.read.visium mudata.read mudata.read_h5mu muon.read loompy.connect torch.load torch.jit.load
        torchaudio.load torchvision.io.read_image torchvision.datasets.ImageFolder
        torchvision.datasets.folder.default_loader torchvision.datasets.DatasetFolder safetensors.torch.load_file
        tensorflow.keras.models.load_model keras.models.load_model tensorflow.saved_model.load
        tensorflow.io.read_file tensorflow.data.TFRecordDataset tensorflow.data.TextLineDataset
        tensorflow.io.gfile.GFile tensorflow.gfile.Open tensorflow.train.load_checkpoint
        tensorflow.keras.preprocessing.image_dataset_from_directory
        tensorflow.keras.utils.image_dataset_from_directory joblib.load pickle.load_path dill.load_path
        pandas.io.pickle PIL.Image.open cv2.imread cv2.VideoCapture skimage.io.imread skimage.io.imread_collection
        imageio.imread imageio.v2.imread imageio.v3.imread imageio.get_reader matplotlib.pyplot.imread
        matplotlib.image.imread nibabel.load nibabel.freesurfer.read_geometry nilearn.image.load_img tifffile.imread
        tifffile.TiffFile tifffile.memmap SimpleITK.ReadImage pydicom.dcmread pydicom.read_file openslide.OpenSlide
        openslide.open_slide nrrd.read librosa.load soundfile.read wave.open audioread.audio_open
        mne.io.read_raw_edf mne.io.read_raw_fif mne.read_epochs mne.io.read_raw_bdf mne.io.read_raw_brainvision
        wfdb.rdrecord wfdb.rdsamp wfdb.rdann pyedflib.EdfReader mne.io.read_raw_gdf mne.io.read_raw_eeglab
        Bio.SeqIO.parse Bio.SeqIO.read Bio.SeqIO.index Bio.SeqIO.to_dict Bio.AlignIO.read Bio.AlignIO.parse
        Bio.Phylo.read pysam.AlignmentFile pysam.FastaFile pysam.Fastafile pysam.VariantFile pyfaidx.Fasta
        pyBigWig.open pybedtools.BedTool pyranges.read_bed pyranges.read_gtf cyvcf2.VCF rdkit.Chem.SDMolSupplier
        rdkit.Chem.MolFromMolFile rdkit.Chem.MolFromMol2File rdkit.Chem.MolFromPDBFile rdkit.Chem.SmilesMolSupplier
        rdkit.Chem.PandasTools.LoadSDF rdkit.Chem.ForwardSDMolSupplier rdkit.Chem.MaeMolSupplier
        openbabel.pybel.readfile prody.parsePDB MDAnalysis.Universe mdtraj.load mdtraj.load_pdb mdtraj.iterload
        ase.io.read ase.io.iread ase.db.connect ase.io.Trajectory ase.io.trajectory.Trajectory
        pymatgen.core.Structure.from_file pymatgen.core.structure.Structure.from_file pymatgen.Structure.from_file
        pymatgen.io.cif.CifParser pymatgen.io.vasp.Poscar.from_file networkx.read_edgelist
        networkx.read_weighted_edgelist networkx.read_gml networkx.read_graphml networkx.read_gpickle
        networkx.read_adjlist networkx.read_gexf networkx.read_pajek igraph.Graph.Read igraph.read dgl.load_graphs
        dgl.data.utils.load_graphs dgl.data.utils.load_info obonet.read_obo rdflib.Graph.parse
        goatools.obo_parser.GODag rasterio.open xarray.open_dataset xarray.open_mfdataset xarray.open_dataarray
        xarray.open_zarr xarray.load_dataset netCDF4.Dataset netCDF4.MFDataset iris.load iris.load_cube
        cfgrib.open_dataset pygrib.open osgeo.gdal.Open gdal.Open fiona.open shapefile.Reader laspy.read
        open3d.io.read_point_cloud trimesh.load uproot.open awkward.from_parquet datasets.load_from_disk
        datasets.Dataset.from_csv datasets.Dataset.from_json datasets.Dataset.from_file
        datasets.Dataset.from_parquet gensim.models.KeyedVectors.load_word2vec_format gensim.models.Word2Vec.load
        gensim.models.word2vec.Word2Vec.load gensim.models.KeyedVectors.load gensim.models.Doc2Vec.load
        gensim.models.FastText.load_fasttext_format fasttext.load_model sentencepiece.SentencePieceProcessor
        lmdb.open sqlite3.connect csv.reader_path yaml.load_path omegaconf.OmegaConf.load orjson.loads_path
        srsly.read_jsonl srsly.read_json jsonlines.open sklearn.datasets.load_svmlight_file
        sklearn.datasets.load_files linecache.getlines gzip.open bz2.open lzma.open codecs.open io.open
        zipfile.ZipFile tarfile.open smart_open.open fsspec.open mmap.mmap_path shelve.open rpy2.robjects.r.readRDS
        pyreadr.read_r pyreadstat.read_sav deepchem.utils.load_from_disk torch_geometric.io.read_txt_array
        torch_geometric.data.extract_zip xgboost.DMatrix lightgbm.Dataset lightgbm.Booster ultralytics.YOLO
        torch.utils.data.datapipes.iter.FileOpener
        """,
    ),
    **_table(
        "write",
        0,
        """
        numpy.save numpy.savez numpy.savez_compressed numpy.savetxt scipy.io.savemat scipy.io.mmwrite
        scipy.sparse.save_npz scipy.io.wavfile.write matplotlib.pyplot.savefig matplotlib.pyplot.imsave
        pylab.savefig pylab.imsave cv2.imwrite cv2.VideoWriter skimage.io.imsave imageio.imwrite imageio.imsave
        imageio.mimsave imageio.mimwrite imageio.v2.imwrite imageio.get_writer imageio.v3.imwrite tifffile.imwrite
        tifffile.imsave nrrd.write soundfile.write mdtraj.save ase.io.write pyarrow.feather.write_feather zarr.save
        networkx.write_gml_path torchvision.utils.save_image_path jsonlines.Writer
        torch.utils.tensorboard.SummaryWriter tensorboardX.SummaryWriter tensorflow.summary.FileWriter
        tensorflow.summary.create_file_writer tensorflow.io.TFRecordWriter tensorflow.python_io.TFRecordWriter
        rdkit.Chem.SDWriter rdkit.Chem.PDBWriter rdkit.Chem.SmilesWriter dgl.save_graphs dgl.data.utils.save_graphs
        dgl.data.utils.save_info srsly.write_json srsly.write_jsonl tensorflow.keras.callbacks.ModelCheckpoint
        keras.callbacks.ModelCheckpoint keras.callbacks.CSVLogger tensorflow.keras.callbacks.CSVLogger
        logging.FileHandler pandas.ExcelWriter xlsxwriter.Workbook plotly.io.write_image
        """,
    ),
    **_table(
        "write",
        1,
        """
        torch.save torch.jit.save joblib.dump safetensors.torch.save_file nibabel.save SimpleITK.WriteImage
        torchvision.utils.save_image pyarrow.parquet.write_table pyarrow.csv.write_csv networkx.write_edgelist
        networkx.write_weighted_edgelist networkx.write_gml networkx.write_graphml networkx.write_gpickle
        networkx.write_adjlist networkx.write_gexf Bio.SeqIO.write Bio.AlignIO.write rdkit.Chem.MolToMolFile
        rdkit.Chem.MolToPDBFile rdkit.Chem.PandasTools.WriteSDF sklearn.datasets.dump_svmlight_file_path
        tensorflow.saved_model.save tensorflow.keras.models.save_model keras.models.save_model
        omegaconf.OmegaConf.save torchaudio.save rdkit.Chem.Draw.MolToFile prody.writePDB numpy.ndarray.tofile
        sklearn.tree.export_graphviz
        """,
    ),
    **_table(
        "copy",
        0,
        "shutil.copy shutil.copyfile shutil.copy2 shutil.copytree os.link os.symlink distutils.dir_util.copy_tree",
    ),
    **_table("move", 0, "shutil.move os.rename os.replace"),
    **_table("delete", 0, "os.remove os.unlink shutil.rmtree os.removedirs"),
    **_table(
        "list",
        0,
        "glob.glob glob.iglob os.listdir os.walk os.scandir natsort.os_sorted"
        " torchvision.datasets.folder.make_dataset imutils.paths.list_images",
    ),
    **_table(
        "download",
        1,
        "urllib.request.urlretrieve urllib.urlretrieve wget.download gdown.download torch.hub.download_url_to_file",
    ),
    "gdown.download_folder": Call("download", 99, ("output",)),
    "gdown.cached_download": Call("download", 1, ("path",)),
    "torch_geometric.data.download_url": Call("download", 1, ("folder",)),
    "torchvision.datasets.utils.download_url": Call("download", 1, ("root",)),
    "torchvision.datasets.utils.download_and_extract_archive": Call("download", 1, ("download_root",)),
    "tensorflow.keras.utils.get_file": Call("download", 0, ("fname",)),
    "keras.utils.get_file": Call("download", 0, ("fname",)),
    "pooch.retrieve": Call("download", 3, ("path",)),
    "huggingface_hub.hf_hub_download": Call("download", 99, ("local_dir", "cache_dir")),
    "huggingface_hub.snapshot_download": Call("download", 99, ("local_dir", "cache_dir")),
    "datasets.load_dataset": Call("read", 0, ("data_files", "data_dir", "path")),
    "sklearn.datasets.dump_svmlight_file": Call("write", 2, ("f",)),
    "rdkit.Chem.PandasTools.SaveXlsxFromFrame": Call("write", 1, ("outFile",)),
    "logging.basicConfig": Call("write", 99, ("filename",)),
}
"""Full name -> how it touches files. A call whose mode is an argument (``open``) is looked at apart."""

METHODS: dict[str, Call] = {
    **_table(
        "write",
        0,
        """
        to_csv to_excel to_parquet to_feather to_json to_pickle to_hdf to_stata to_netcdf to_zarr to_file write_csv
        write_parquet write_ipc write_excel write_ndjson savefig write_h5ad write_loom write_zarr save_pretrained
        save_weights save_model export_png write_image write_html save_to_disk save_word2vec_format tofile to_xml
        to_latex to_html to_markdown sink_parquet sink_csv write_pdb save_pdb
        """,
    ),
    **_table(
        "read",
        0,
        "load_weights load_word2vec_format read_h5ad load_from_checkpoint from_csv from_pretrained load_adapter",
    ),
    "write_text": Call("write", -1),
    "write_bytes": Call("write", -1),
    "read_text": Call("read", -1),
    "read_bytes": Call("read", -1),
    "iterdir": Call("list", -1),
    "unlink": Call("delete", -1),
}
"""Method name -> how it touches files, whatever it is called on."""

GUESSED_METHODS: dict[str, Call] = {
    "save": Call("write", 0, _NAMES),
    "dump": Call("write", 1, _NAMES),
    "write": Call("write", 0, _NAMES),
    "load": Call("read", 0, _NAMES),
    "read": Call("read", 0, _NAMES),
    "load_model": Call("read", 0, _NAMES),
    "imread": Call("read", 0, _NAMES),
    "read_csv": Call("read", 0, _NAMES),
    "loadmat": Call("read", 0, _NAMES),
    "loadtxt": Call("read", 0, _NAMES),
    "restore": Call("read", 1, _NAMES),
}
"""Methods that touch files only where their argument looks like a path."""

OPENERS = {
    "open",
    "gzip.open",
    "bz2.open",
    "lzma.open",
    "codecs.open",
    "io.open",
    "h5py.File",
    "zipfile.ZipFile",
    "tarfile.open",
    "tensorflow.io.gfile.GFile",
    "tensorflow.gfile.Open",
    "netCDF4.Dataset",
    "pandas.HDFStore",
    "zarr.open",
    "zarr.open_group",
    "jsonlines.open",
    "rasterio.open",
    "smart_open.open",
    "tables.open_file",
    "lmdb.open",
    "pysam.AlignmentFile",
    "fsspec.open",
    "shelve.open",
    "numpy.memmap",
    "fiona.open",
    "pysam.VariantFile",
    "tables.openFile",
    "loompy.connect",
    "pyBigWig.open",
    "wave.open",
    "ase.io.Trajectory",
    "ase.io.trajectory.Trajectory",
}
"""Calls whose second argument, or ``mode``, says whether they read or write; without it they read."""

DATASET_FOLDERS = {
    "torchvision.datasets.ImageFolder",
    "os.listdir",
    "os.walk",
    "os.scandir",
    "sklearn.datasets.load_files",
    "tensorflow.keras.preprocessing.image_dataset_from_directory",
    "datasets.load_from_disk",
    "tensorflow.keras.utils.image_dataset_from_directory",
    "scanpy.read_10x_mtx",
    "datasets.load_dataset",
    "zarr.open",
    "zarr.open_group",
    "scanpy.read_visium",
    "shutil.copytree",
    "imutils.paths.list_images",
}
"""Calls whose path is a folder: all that lies in it is meant."""


def mode_action(mode: str | None) -> Action:
    """What a file opened in ``mode`` is for: everything that can create it counts as writing."""
    return "write" if mode and any(letter in mode for letter in "wax") else "read"
