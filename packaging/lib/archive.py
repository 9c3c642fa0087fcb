"""Archives whose bytes depend only on their contents: entries are sorted and have the same time and no owner."""

import gzip
import io
import tarfile
import time
import zipfile


def gzipped(content):
    """Compresses a file with gzip, without its name and time."""
    return gzip.compress(content, compresslevel=9, mtime=0)


def tar_gz(path, files, epoch, programs=()):
    """Writes a tar archive. `files` maps paths to contents; those in `programs` are executable."""
    bare = io.BytesIO()
    with tarfile.open(fileobj=bare, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name in sorted(files):
            entry = tarfile.TarInfo(name)
            entry.size = len(files[name])
            entry.mtime = epoch
            entry.mode = 0o755 if name in programs else 0o644
            entry.uname = entry.gname = "root"
            archive.addfile(entry, io.BytesIO(files[name]))
    path.write_bytes(gzipped(bare.getvalue()))


def zip_file(path, files, epoch, programs=()):
    """Writes a zip archive, like `tar_gz` but in the given order, because a wheel's RECORD should be last."""
    when = time.gmtime(epoch)[:6]
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, date_time=when)
            entry.create_system = 3
            entry.external_attr = (0o100755 if name in programs else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content, compresslevel=9)
