import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labelledDataFolder } from './datasets.ts';
import { amountOfLabelledTotal, documentOfLabels, isoOfLabelledDate, readReceipts, receiptCases } from './receipts.ts';
import { isHeldOut } from './split.ts';

test('a labelled line becomes words whose boxes share the line by characters', () => {
  const document = documentOfLabels({
    key: 'K',
    imagePath: null,
    size: { width: 200, height: 100 },
    entities: { company: null, date: null, address: null, total: null },
    lines: [{ text: 'TOTAL RM 12', box: [10, 20, 120, 40] }],
  });
  const words = document.pages[0]!.words;
  assert.deepEqual(
    words.map((word) => word.text),
    ['TOTAL', 'RM', '12'],
  );
  assert.deepEqual(words[1]!.box, { x0: 70, y0: 20, x1: 90, y1: 40 });
  assert.equal(words[2]!.box.x1, 120);
});

test('labelled dates and totals are read in every form that occurs', () => {
  const dates = {
    '30/04/2017': '2017-04-30',
    '24-01-18': '2018-01-24',
    '19 APR 2018': '2018-04-19',
    '25/FEB/2017': '2017-02-25',
    '30 DEC 17': '2017-12-30',
    '20180304': '2018-03-04',
    '25032018': '2018-03-25',
    '2016/05/01': '2016-05-01',
    '(06/12/2016)': '2016-12-06',
    'OCT 3, 2016': '2016-10-03',
    '01/25/18': '2018-01-25',
  };
  for (const [label, iso] of Object.entries(dates)) assert.equal(isoOfLabelledDate(label), iso, label);
  assert.equal(isoOfLabelledDate('no date'), null);
  assert.equal(amountOfLabelledTotal('RM1,073.00'), 1073);
  assert.equal(amountOfLabelledTotal('-0.50'), -0.5);
  assert.equal(amountOfLabelledTotal('none'), null);
});

const dataFolder = labelledDataFolder();

test('every labelled receipt is read, and about 40 % are held out', {
  skip: !dataFolder && 'no labelled data',
}, async () => {
  const receipts = await readReceipts(dataFolder!);
  assert.equal(receipts.length, 626);
  assert.equal(receipts.filter((receipt) => receipt.imagePath).length, 150);
  const share = receipts.filter((receipt) => isHeldOut(receipt.key)).length / receipts.length;
  assert.ok(share > 0.34 && share < 0.46, `${share}`);
  for (const { key, entities } of receipts) {
    if (entities.date)
      assert.match(isoOfLabelledDate(entities.date) ?? '', /^20[01]\d-(0[1-9]|1[0-2])-([0-2]\d|3[01])$/, key);
    if (entities.total) assert.notEqual(amountOfLabelledTotal(entities.total), null, key);
  }
});

test('an address is scored by the labelled words only if it is among them', {
  skip: !dataFolder && 'no labelled data',
}, async () => {
  const truthOf = async (from: 'images' | 'words') => {
    const cases = await receiptCases(dataFolder!, from);
    const cut = cases.find(({ key }) => key === 'X51005757243')!;
    return (await cut.truth(async () => assert.fail('the truth is in the labels'))).fields;
  };
  const [fromImages, fromWords] = [await truthOf('images'), await truthOf('words')];
  const { merchant_address, ...others } = fromImages;
  assert.ok(merchant_address);
  assert.deepEqual(fromWords, others);
});
