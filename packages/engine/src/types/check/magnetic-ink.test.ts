import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layOut } from '../../layout/layout.ts';
import { typeset } from '../../layout/typeset.ts';
import { magneticFields } from './magnetic-ink.ts';

const fieldsOf = (line: string) => {
  const layout = layOut(typeset([[[40, 'Pay to the order of John Stiles']], null, [[40, line]]]));
  return Object.fromEntries(
    Object.entries(magneticFields(layout)).map(([name, { value, flags }]) => [name, [value, ...flags].join(' ')]),
  );
};

test('a business check has its number before the transit number', () => {
  assert.deepEqual(fieldsOf('⑈0118408359⑈ ⑆122000496⑆ 8765129397⑈'), {
    routing_number: '122000496 check_digit_holds',
    account_number: '8765129397',
    check_number: '118408359',
  });
});

test('a personal check has its number behind or before the account', () => {
  const expected = {
    routing_number: '122000496 check_digit_holds',
    account_number: '4040110157',
    check_number: '1379',
  };
  assert.deepEqual(fieldsOf('⑆122000496⑆ 4040110157⑈ 1379'), expected);
  assert.deepEqual(fieldsOf('⑆122000496⑆1379⑈4040110157⑈'), expected);
  assert.deepEqual(fieldsOf('⑆122000496⑆ 404⑉011015⑉7⑈ 1379 ⑇0000029190⑇'), expected, 'with the amount');
});

test('in a PDF’s text letters stand for the signs', () => {
  assert.deepEqual(fieldsOf('C7745C A122000496A 448120093317C'), {
    routing_number: '122000496 check_digit_holds',
    account_number: '448120093317',
    check_number: '7745',
  });
  assert.deepEqual(fieldsOf('BLOCK A122000496A'), {}, 'beside words they are letters');
});

test('a transit number whose check digit is wrong says so', () => {
  assert.equal(fieldsOf('⑆122000497⑆ 4040110157⑈').routing_number, '122000497 check_digit_fails');
});

test('without its signs a line has no fields', () => {
  assert.deepEqual(fieldsOf('122000496 4040110157 1379'), {});
});

test('other marks around a transit number stand for its sign', () => {
  const expected = {
    routing_number: '122000496 check_digit_holds',
    account_number: '4040110157',
    check_number: '1379',
  };
  assert.deepEqual(fieldsOf('|:122000496|: 4040110157|| 1379'), expected);
  assert.deepEqual(fieldsOf('T122000496T 4040110157U 1379'), expected);
  assert.deepEqual(fieldsOf(':122000496: 4040110157 1379'), expected, 'the sign behind the account is lost');
  assert.deepEqual(fieldsOf('Routing: 122000496: 4040110157'), {}, 'beside words they are none');
});

test('an account goes on up to its sign, however far its groups are apart', () => {
  const layout = layOut(
    typeset([
      [[40, 'Pay to the order of John Stiles']],
      null,
      [
        [40, '⑈001379⑈'],
        [140, '⑆122000496⑆'],
        [260, '4040'],
        [340, '110157⑈'],
      ],
    ]),
  );
  assert.equal(magneticFields(layout).account_number?.value, '4040110157');
});

test('beside the account the number that the corner has is the check’s own', () => {
  const layout = layOut(
    typeset([[[40, 'Pay to the order of John Stiles']], null, [[40, '⑆122000496⑆ 0812 4040110157⑈']]]),
  );
  const fields = magneticFields(layout, '812');
  assert.deepEqual([fields.account_number?.value, fields.check_number?.value], ['4040110157', '812']);
});
