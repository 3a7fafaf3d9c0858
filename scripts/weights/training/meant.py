#!/usr/bin/env python3
"""Trains the model that tells what questions about tables mean (meant.bin of shared/knowledge/embedding/minilmembedding).

It reads a question in people's own words and a plain one ("which customer has the highest total amount where status is open"), and
tells whether the first means the second. It begins with the layers of the model that judges answers (cross.bin); the first of these
stay as they are, so that both share them. It learns from what scripts/weights/meanings writes: for each question the plain ones that
its table can answer, and which of them give the answer that is expected; none where the table cannot tell. Plain questions mean
themselves.

  go run ./scripts/weights/meanings FOLDER ... > asked.jsonl
  venv/bin/python meant.py --base ../../../shared/knowledge/embedding/minilmembedding/cross.bin --out meant.safetensors asked.jsonl
  go run ./scripts/weights -meant meant.safetensors

The weights in the program learned from the 2,580 questions to 200 tables beside this file, which were written for it (people, firms and
numbers are made up), with --selves .12: 35 minutes on two cores."""
import argparse
import json
import math
import random
import re
import time

import torch
from safetensors.torch import save_file

import train

SHARED = 4  # layers of the base that stay as they are
MOST = 28   # plain questions of a question that are looked at in a step


class Asked:
    """A question with the plain ones that it may mean, the nearest first."""

    def __init__(self, question, plain, right):
        self.question, self.plain, self.right = question, plain, sorted(right)
        self.wrong = [i for i in range(len(plain)) if i not in set(right)]

    def sample(self, chance):
        """Some right ones, the nearest ones of all likelier, and wrong ones, most of which come near."""
        right = self.right[:6]
        right = chance.sample(right, min(3, len(right)))
        left = MOST - len(right)
        near = self.wrong[:2 * left]
        wrong = chance.sample(near, min(len(near), 2 * left // 3))
        rest = [i for i in self.wrong if i not in set(wrong)]
        return right, wrong + chance.sample(rest, min(len(rest), left - len(wrong)))


def read(paths, chance, selves):
    """The questions of files, and for a share of them a plain one that means itself."""
    raw = [json.loads(line) for path in paths for line in open(path, encoding='utf8')]
    raw = [x for x in raw if x['plain']]
    for x in chance.sample(raw, int(selves * len(raw))):
        i = chance.randrange(len(x['plain']))
        raw.append({'question': x['plain'][i] + '?', 'plain': x['plain'], 'right': [i]})
    return [Asked(x['question'], x['plain'], x['right']) for x in raw]


def odds(model, reader, asked, chosen):
    """Log odds that a question means some plain ones."""
    rows = [reader.window(asked.question, [('', asked.plain[i])]) for i in chosen]
    with torch.autocast('cpu', dtype=torch.bfloat16):
        return model(*reader.batch([row[:2] for row in rows]), [row[2] for row in rows]).float()


def learn(model, reader, asked, epochs, rate, seed):
    """Which plain question is meant, none being one of the choices."""
    chance, size = random.Random(seed), 4
    for name, value in model.named_parameters():
        layer = re.match(r'weights\.encoder/layer/(\d+)/', name)
        value.requires_grad_(name.startswith('head') or layer is not None and int(layer[1]) >= SHARED)
    learnt = [v for v in model.parameters() if v.requires_grad]
    optimizer = torch.optim.AdamW(learnt, rate, weight_decay=.01)
    steps, step, start, sum_of_losses = math.ceil(len(asked) / size) * epochs, 0, time.time(), 0
    model.eval()  # nothing is dropped
    for _ in range(epochs):
        chance.shuffle(asked)
        for at in range(0, len(asked), size):
            for g in optimizer.param_groups:
                g['lr'] = rate * min(1, (step + 1) / (.05 * steps)) * max(.03, 1 - step / steps)
            loss = 0
            for one in asked[at:at + size]:
                right, wrong = one.sample(chance)
                z = torch.cat([torch.zeros(1), odds(model, reader, one, right + wrong)])
                meant = z[1:1 + len(right)] if right else z[:1]
                loss = loss + torch.logsumexp(z, 0) - torch.logsumexp(meant, 0)
            optimizer.zero_grad()
            (loss / size).backward()
            torch.nn.utils.clip_grad_norm_(learnt, 1.)
            optimizer.step()
            step, sum_of_losses = step + 1, sum_of_losses + loss.item() / size
            if step % 50 == 0:
                print(f'{step}/{steps} loss {sum_of_losses / 50:.3f} {time.time() - start:.0f} s', flush=True)
                sum_of_losses = 0


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('asked', nargs='+')
    p.add_argument('--base', required=True, help='packed cross.bin')
    p.add_argument('--out', default='meant.safetensors')
    p.add_argument('--epochs', type=int, default=2)
    p.add_argument('--rate', type=float, default=1.5e-4)
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('--selves', type=float, default=.4, help='plain questions that mean themselves, for each question')
    o = p.parse_args()
    torch.manual_seed(o.seed)
    base = train.read_packed(o.base)
    model = train.Cross({k: v for k, v in base.items() if not k.startswith('head.')})
    model.set({k: v for k, v in base.items() if k.startswith('head.')})
    chance = random.Random(o.seed)
    reader, asked = train.Reader(), read(o.asked, chance, o.selves)
    print(len(asked), 'questions')
    learn(model, reader, asked, o.epochs, o.rate, o.seed)
    save_file(model.tensors(), o.out)


if __name__ == '__main__':
    main()
