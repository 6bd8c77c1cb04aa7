import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  austrianVat,
  belgianVat,
  brazilianCnpj,
  britishVat,
  containerNumber,
  dutchVat,
  frenchVat,
  germanVat,
  ibanOf,
  italianVat,
  luhnDigit,
  portugueseNif,
  routingNumber,
  sirenOf,
  siretOf,
  spanishCif,
  spanishDni,
  swissUid,
  zoneDigit,
} from './check-digits.ts';

test('published examples have the check digits that are published with them', () => {
  assert.equal(ibanOf('DE', '370400440532013000'), 'DE89370400440532013000');
  assert.equal(ibanOf('GB', 'WEST12345698765432'), 'GB82WEST12345698765432');
  assert.equal(luhnDigit('7992739871'), 3);
  assert.equal(germanVat('13669597'), 'DE136695976');
  assert.equal(austrianVat('1358562'), 'ATU13585627');
  assert.equal(frenchVat('404833048'), 'FR83404833048');
  assert.equal(sirenOf('73282932'), '732829320');
  assert.equal(siretOf('732829320', '0007'), '73282932000074');
  assert.equal(italianVat('0764352056'), '07643520567');
  assert.equal(portugueseNif('50196484'), '501964843');
  assert.equal(spanishDni('12345678'), '12345678Z');
  assert.equal(spanishCif('A', '5881850'), 'A58818501');
  assert.equal(dutchVat('00449544', '01'), 'NL004495445B01');
  assert.equal(belgianVat('04287594'), 'BE0428759497');
  assert.equal(britishVat('9807806'), 'GB980780684');
  assert.equal(swissUid('10015521'), 'CHE-100.155.212');
  assert.equal(brazilianCnpj('112223330001'), '11.222.333/0001-81');
  assert.equal(routingNumber('12100024'), '121000248');
  assert.equal(containerNumber('CSQU', '305438'), 'CSQU3054383');
  assert.equal(zoneDigit('520727'), '3');
});
