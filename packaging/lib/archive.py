"""Archives that depend on what is in them and on nothing else: sorted, one time, no owner."""

import gzip
import io
import tarfile
import time
import zipfile


def zipped_alone(content):
    """One file under gzip, without its name and time."""
    return gzip.compress(content, compresslevel=9, mtime=0)


def tar_gz(path, files, epoch, programs=()):
    """`files` are contents by path; those in `programs` may be run."""
    bare = io.BytesIO()
    with tarfile.open(fileobj=bare, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name in sorted(files):
            entry = tarfile.TarInfo(name)
            entry.size = len(files[name])
            entry.mtime = epoch
            entry.mode = 0o755 if name in programs else 0o644
            entry.uname = entry.gname = "root"
            archive.addfile(entry, io.BytesIO(files[name]))
    path.write_bytes(zipped_alone(bare.getvalue()))


def zip_file(path, files, epoch, programs=()):
    """The same as a zip, in the order given: a wheel wants its RECORD last."""
    when = time.gmtime(epoch)[:6]
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, date_time=when)
            entry.create_system = 3
            entry.external_attr = (0o100755 if name in programs else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content, compresslevel=9)
