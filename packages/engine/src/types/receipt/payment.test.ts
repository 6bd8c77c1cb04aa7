import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layOut } from '../../layout/layout.ts';
import { type PrintedRow, typeset } from '../../layout/typeset.ts';
import { isNamedMethod, maskedCard, methodAlone, paymentMethod, tickedMethod } from './payment.ts';

const methodOf = (...rows: PrintedRow[]) => paymentMethod(layOut(typeset(rows)))?.value;
const cardOf = (...rows: PrintedRow[]) => maskedCard(layOut(typeset(rows)))?.value;

test('a wallet, or a card without its brand, is how a receipt was paid where its amount stands', () => {
  const [twint, card, pin] = ['TWINT', 'CB', 'PIN'].map((method) =>
    methodOf(
      [[40, 'Total 42.55']],
      [
        [40, method],
        [200, '42.55'],
      ],
    ),
  );
  assert.deepEqual([twint, card, pin], ['TWINT', 'CB', 'PIN']);
  assert.equal(methodOf([[40, 'FORMA PAGO: TARJETA 59,40']]), 'TARJETA');
  assert.equal(methodOf([[40, 'CB EMV SANS CONTACT 13,97']]), 'CB EMV SANS CONTACT');
  assert.equal(methodOf([[40, 'MASTERCARD (PUCE)']]), 'MASTERCARD');
  assert.equal(methodOf([[40, 'Numerário 20,00']]), 'Numerário');
  const cash: PrintedRow = [
    [40, 'Cash:'],
    [200, '20.00'],
  ];
  assert.equal(methodOf(cash), 'Cash');
  const sums = ['R200.00', 'RM 50.00', 'Rs.1,431.00'].map((sum) =>
    methodOf([
      [40, 'CASH'],
      [200, sum],
    ]),
  );
  assert.deepEqual(sums, ['CASH', 'CASH', 'CASH']);
  assert.equal(methodOf([[40, 'PIN verified']], [[40, 'Total 9.50']]), undefined);
});

test('a way to pay stands behind what says that something was paid, or before its masked number', () => {
  assert.equal(methodOf([[40, 'Paid by: UPI']]), 'UPI');
  assert.equal(methodOf([[40, 'CB ************6635']]), 'CB');
  const apart: PrintedRow = [
    [40, 'Paid:'],
    [200, 'CASH'],
  ];
  assert.equal(methodOf(apart), 'CASH');
  assert.equal(methodOf([[40, 'CASH']]), undefined);
  assert.equal(methodOf([[40, 'DEBIT']], [[40, 'XXXXXXXXXXXX5526']]), 'DEBIT');
  assert.equal(methodOf([[40, 'Purchase VISA']]), 'VISA');
});

test('of ways to pay with boxes the ticked one was used', () => {
  assert.equal(tickedMethod('☐ Cash ☒ Check ☐ Card'), 'Check');
  assert.equal(tickedMethod('Visa'), 'Visa');
});

test('of the methods that a till prints, the one with an amount was used', () => {
  const method = paymentMethod(
    layOut(
      typeset([
        [
          [40, 'Pagamento contante'],
          [200, '20,00'],
        ],
        [
          [40, 'Pagamento elettronico'],
          [200, '0,00'],
        ],
      ]),
    ),
  );
  assert.equal(method?.value, 'contante');
  assert.equal(method?.confidence, 90);
});

test('a card’s last digits stand behind what hides the others, however it is grouped', () => {
  assert.equal(cardOf([[40, 'XXXX-XXXXXX-X1008']]), '1008');
  assert.equal(cardOf([[40, 'VISA **** **** **** 4821']]), '4821');
});

test('a gift or loyalty card is not the card that was paid with', () => {
  assert.equal(cardOf([[40, 'Gift Card ****2290 25.00']], [[40, 'Visa ****6014 76.31']]), '6014');
  assert.equal(cardOf([[40, 'CLUBCARD ************5528']]), undefined);
  assert.equal(cardOf([[40, 'VISA ************6650']], [[40, 'TARJETA EJEMPLOPUNTOS: ****3307']]), '6650');
  assert.equal(cardOf([[40, 'ExtraPerks Card #: *********3381']], [[40, '*************2094']]), '2094');
  const member: PrintedRow = [
    [40, 'Rewards #'],
    [200, 'XXXXX4402 Silver'],
  ];
  assert.equal(cardOf(member, [[40, 'XXXXXXXXXXXX8073XX/XX']]), '8073');
});

test('a long row of dots holds no card, and costs no time', () => {
  assert.equal(cardOf([[40, `${'.'.repeat(1_500)} 12.50`]]), undefined);
});

test('one sign may hide a card’s first digits before its brand', () => {
  assert.equal(cardOf([[40, '*6620 VISA CHARGE']]), '6620');
  assert.equal(cardOf([[40, '*6620 PASTA 500G']]), undefined);
});

test('that something was given is not how it was paid', () => {
  const given: PrintedRow = [
    [40, 'Gegeben BAR'],
    [200, '20,00'],
  ];
  assert.equal(methodOf(given), 'BAR');
});

test('a currency may stand between a method and its amount, and what was done before or behind it', () => {
  const cash: PrintedRow = [
    [40, 'Contanti'],
    [150, 'EUR'],
    [200, '30,00'],
  ];
  assert.equal(methodOf(cash), 'Contanti');
  assert.equal(methodOf([[40, 'Cobrado con: TARJETA 88,90']]), 'TARJETA');
  assert.equal(methodOf([[40, 'CB SANS CONTACT 73,71 EUR']]), 'CB SANS CONTACT');
  assert.equal(methodOf([[40, 'Bar bezahlt']]), 'Bar bezahlt');
  assert.equal(methodOf([[40, 'CHIP & PIN 4.95']]), 'CHIP & PIN');
  assert.equal(methodOf([[40, 'NETS Contactless 17.80']]), 'NETS Contactless');
  assert.equal(methodOf([[40, 'HAIR NETS 2.50']]), undefined);
  assert.equal(methodOf([[40, '05/11 Visa *4402']]), 'Visa');
});

test('a currency behind a way to pay is the amount’s, and a heading for cards names none', () => {
  const cash: PrintedRow = [
    [40, 'BAR EUR'],
    [200, '10,05'],
  ];
  assert.equal(methodOf(cash), 'BAR');
  assert.equal(methodAlone('BAR EUR'), 'BAR');
  const upi: PrintedRow = [
    [40, 'UPI Payment :'],
    [200, '1431.00'],
  ];
  assert.equal(methodOf(upi), 'UPI');
  assert.equal(methodOf([[40, 'INTERAC FLASH 29.95']]), 'INTERAC FLASH');
  assert.deepEqual(['efectivo', 'BAR EUR', 'Visa', 'CARD', 'Cambio'].map(isNamedMethod), [
    true,
    true,
    true,
    false,
    false,
  ]);
});

test('a card’s digits may be hidden by signs that are read as others', () => {
  assert.equal(cardOf([[40, 'VISA CREDIT xxxxxxx×2210']]), '2210');
});

test('the hidden digits of a card may have run into its brand', () => {
  assert.equal(methodOf([[40, 'American ExpressXxxxxxxxxxx4417 xx/xx']]), 'American Express');
  assert.equal(methodOf([[40, 'Visalia Market']]), undefined);
});

test('the number of a club’s card, below the points that it collects, is no bank card’s', () => {
  const points: PrintedRow = [
    [40, 'Points this visit'],
    [200, '16'],
  ];
  const own: PrintedRow = [
    [40, 'Card number'],
    [200, '***1188'],
  ];
  assert.equal(cardOf([[40, 'NUMBER ************4418 ICC']], points, own), '4418');
});

test('one sign may hide a card’s first digits before what kind of card it is', () => {
  assert.equal(cardOf([[40, '*4418 DEBIT TOTAL PAYMENT 21.39']]), '4418');
});
