import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withPlainDigits } from '../read/digits.ts';
import { languageScores } from './language.ts';

const languageOf = (...texts: readonly string[]) => languageScores(texts)[0]?.[0];

test('a text in another script than Latin is of a language of that script', () => {
  assert.equal(languageOf('Счёт на оплату № 15 от 3 марта 2026'), 'ru');
  assert.equal(languageOf('Рахунок на оплату, постачальник, київ і львів'), 'uk');
  assert.equal(languageOf('Τιμολόγιο πώλησης, σύνολο'), 'el');
  assert.equal(languageOf('חשבונית מס קבלה לתשלום'), 'he');
  assert.equal(languageOf('فاتورة ضريبية المبلغ الإجمالي'), 'ar');
  assert.equal(languageOf('فاکتور فروش کالا پرداخت گردید چاپ'), 'fa');
  assert.equal(languageOf('请款单 发票号码 合计金额 付款日期'), 'zh');
  assert.equal(languageOf('請求書をお送りします。お支払い期限'), 'ja');
  assert.equal(languageOf('세금계산서 공급가액 합계'), 'ko');
  assert.equal(languageOf('ใบกำกับภาษี จำนวนเงินรวม'), 'th');
  assert.equal(languageOf('कर चालान कुल राशि भुगतान'), 'hi');
  assert.equal(languageOf('The total amount of your invoice is due, 5 µm, α = 3'), 'en', 'Greek letters of a formula');
  assert.equal(languageOf('Invoice Total Date', 'Счёт на оплату', 'Итого к оплате по счёту'), 'ru');
});

test('digits of every script become those of ASCII, at the same length', () => {
  assert.equal(withPlainDigits('٢٠٢٦/٠٣/١٤'), '2026/03/14');
  assert.equal(withPlainDigits('١٬٢٣٤٫٥٠'), '1,234.50');
  assert.equal(withPlainDigits('۱۴۰۵'), '1405');
  assert.equal(withPlainDigits('￥１，２３４．５０'), '￥1,234.50');
  assert.equal(withPlainDigits('१२३'), '123');
  assert.equal(withPlainDigits('Total 12.00 €'), 'Total 12.00 €');
});
