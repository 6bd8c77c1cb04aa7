import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReadCharacter } from './words.ts';
import { isZoneLine, type LineOutput, readZoneLine, zoneAlphabet } from './zone-line.ts';

const pitch = 3.4;
/** The network's classes: the first is its blank. */
const characters = ['', ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789<≤.'];

/** What the network says of a line of fixed width: each character's probability in the middle of its cell. */
function outputOf(line: string, probabilityAt: (at: number) => Readonly<Record<string, number>>): LineOutput {
  const steps = Math.ceil(line.length * pitch);
  const classes = characters.length;
  const probabilities = new Float32Array(steps * classes);
  for (let step = 0; step < steps; step += 1) probabilities[step * classes] = 1;
  [...line].forEach((character, at) => {
    const offset = Math.round(pitch / 2 + at * pitch) * classes;
    const own = { [character]: 0.9, ...probabilityAt(at) };
    probabilities[offset] = 1 - Object.values(own).reduce((sum, probability) => sum + probability, 0);
    for (const [text, probability] of Object.entries(own))
      probabilities[offset + characters.indexOf(text)] = probability;
  });
  return { probabilities, steps, classes };
}

/** The characters of a line by the likeliest class of each step, as the recogniser reads it at first. */
function greedy({ probabilities, steps, classes }: LineOutput): ReadCharacter[] {
  return Array.from({ length: steps }, (_, step) => {
    const own = [...probabilities.subarray(step * classes, (step + 1) * classes)];
    const best = own.indexOf(Math.max(...own));
    return { text: characters[best]!, probability: own[best]!, spaceBefore: 0, position: (step + 0.5) / steps };
  }).filter(({ text }) => text !== '');
}

const textOf = (read: readonly ReadCharacter[]) => read.map(({ text }) => text).join('');

test('a letter that was less likely than the blank is found in its cell', () => {
  const line = 'P<USAKOWALCZYK<<EVELYN<GRACE<<<<<<<<<<<<<<<<';
  const lost = [...line].flatMap((character, at) => (character === 'C' ? [at] : []));
  const output = outputOf(line, (at) => (lost.includes(at) ? { C: 0.3, '0': 0.12 } : {}));
  const read = greedy(output);
  assert.equal(read.length, line.length - lost.length);
  assert.equal(textOf(readZoneLine(output, read, zoneAlphabet(characters))), line);
});

test('a state among digits is of letters, and a filler is none of its look-alikes', () => {
  const line = '5872149033USA8207218F3002027<<<<<<<<<<<<<<<2';
  const output = outputOf(line, (at) => {
    if (at === 10) return { U: 0.1, '0': 0.6 };
    if (at === 11) return { S: 0.2, '5': 0.4 };
    if (at === 20) return { F: 0.3, '7': 0.5 };
    return at > 27 && at < 32 ? { '<': 0.1, '≤': 0.6 } : {};
  });
  assert.equal(textOf(readZoneLine(output, greedy(output), zoneAlphabet(characters))), line);
});

test('a character lost at the beginning is found where the line lacks one', () => {
  const line = 'C01X4KLR73D<<9512287F3208025<<<<<<<<<<<<<<<4';
  const output = outputOf(line, (at) => (at === 0 ? { C: 0.3 } : {}));
  const read = greedy(output);
  assert.equal(read[0]?.text, '0');
  assert.equal(textOf(readZoneLine(output, read, zoneAlphabet(characters))), line);
});

test('a line of a zone is known by its fillers, capitals and length', () => {
  const isZone = (text: string) =>
    isZoneLine([...text].map((character, at) => ({ text: character, probability: 1, spaceBefore: 0, position: at })));
  assert.ok(isZone('P<USAKOWALCZYK<<EVELYN<GRACE<<<<<<<<<<<<<<<<'));
  assert.ok(isZone('60RF008099FRA5307128F1902237<<<<<<<<<<<<<<06'));
  assert.ok(!isZone('Antibody<1Hepatitis<1Antigen<2Titre<3'));
  assert.ok(!isZone('<<<<<<'));
  assert.ok(!isZone('<<<<<<pleasecutherealongtheline>>>>>>'));
});
