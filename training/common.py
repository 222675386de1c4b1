"""Shared by the data preparation scripts: reading git clones, packing samples.

A "pack" is a pair of files: NAME.bin (concatenated JPEG files) and NAME.json
(a list of records: name, off, len, w, h, src, boxes=[[cls,x1,y1,x2,y2],...],
ignore=[[x1,y1,x2,y2],...]).  Class index -1 never appears in boxes.
"""
import json
import os
import subprocess

# A folder with a clone of each data set's repository, named owner+name.
DATASETS = os.environ.get('DATASETS', 'datasets')


def git_dir(owner_repo):
    d = f"{DATASETS}/{owner_repo.replace('/', '+')}"
    return d + '/.git' if os.path.isdir(d + '/.git') else d


def git_tree(d):
    """[(path, blob sha, size or -1 when the blob is absent)] of HEAD."""
    out = subprocess.run(['git', '-C', d, 'ls-tree', '-r', '-z', '-l', 'HEAD'],
                         capture_output=True, check=True).stdout.decode('utf8', 'replace')
    rows = []
    for entry in out.split('\0'):
        if entry:
            meta, path = entry.split('\t', 1)
            f = meta.split()
            rows.append((path, f[2], int(f[3]) if f[3].isdigit() else -1))
    return rows


class Blobs:
    """Random access to blobs through one `git cat-file --batch` process."""

    def __init__(self, d):
        self.p = subprocess.Popen(['git', '-C', d, 'cat-file', '--batch'],
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def get(self, sha):
        self.p.stdin.write((sha + '\n').encode())
        self.p.stdin.flush()
        head = self.p.stdout.readline().split()
        if head[1] == b'missing':
            return None
        n = int(head[2])
        data = self.p.stdout.read(n)
        self.p.stdout.read(1)
        return data


class Pack:
    def __init__(self, stem):
        self.stem, self.recs, self.off = stem, [], 0
        self.f = open(stem + '.bin', 'wb')

    def add(self, name, jpeg, w, h, src, boxes, ignore=()):
        self.f.write(jpeg)
        self.recs.append(dict(name=name, off=self.off, len=len(jpeg), w=w, h=h, src=src,
                              boxes=[[int(b[0])] + [round(float(v), 1) for v in b[1:]] for b in boxes],
                              ignore=[[round(float(v), 1) for v in b] for b in ignore]))
        self.off += len(jpeg)

    def close(self):
        self.f.close()
        json.dump(self.recs, open(self.stem + '.json', 'w'), separators=(',', ':'))
        print(self.stem, len(self.recs), 'images', round(self.off / 2**20, 1), 'MiB', flush=True)
