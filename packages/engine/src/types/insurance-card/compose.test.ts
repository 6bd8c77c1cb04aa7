import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractFromWords } from '../../extract.ts';
import { layOut } from '../../layout/layout.ts';
import { type PrintedRow, typeset, typesetPage } from '../../layout/typeset.ts';
import { decideLocale } from '../../locale/locale.ts';
import { documentTypeOf } from '../registry.ts';
import { composeFields } from '../rules.ts';
import { insuranceCardRules } from './rules.ts';

const extracted = (...rows: PrintedRow[]) =>
  extractFromWords(typeset(rows), { docType: 'insurance_card', fields: null }).extraction.fields;

test('a card’s columns have the processor’s number below its caption', () => {
  const fields = extracted(
    [[40, 'Evergreen Mutual Health']],
    [
      [40, 'RxBIN'],
      [100, 'PCN'],
      [160, 'RxGroup'],
    ],
    [
      [40, '004336'],
      [100, 'ADV'],
      [160, 'RX8821'],
    ],
  );
  assert.equal(fields.rx_bin?.value, '004336');
  assert.equal(fields.rx_pcn?.value, 'ADV');
});

test('a number whose groups stand apart is whole', () => {
  const fields = extracted(
    [[40, 'Verbena Health']],
    [
      [40, 'ID'],
      [80, 'W5521'],
      [117, '30846'],
    ],
    [[40, 'NAME']],
    [[40, '01 ODALYS FERRIER']],
  );
  assert.equal(fields.member_id?.value, 'W5521 30846');
});

test('a plan is named with a high deductible, and without what OCR makes of a mark', () => {
  const named = extracted(
    [[40, 'Verbena Health']],
    [[40, 'Plan: High Deductible PPO']],
    [[40, 'Quillfeather Provider Network']],
  );
  assert.equal(named.plan_name?.value, 'High Deductible PPO');
  const marked = extracted([[40, 'Verbena Health']], [[40, 'Open Choice@']], [[40, 'PPO']]);
  assert.equal(marked.plan_name?.value, 'Open Choice');
});

test('a tier with the day from which it holds is no plan', () => {
  const fields = extracted(
    [[40, 'HICKORY STATE TEACHERS HEALTH PLAN']],
    [[40, 'Subscriber: ODALYS FERRIER']],
    [[40, 'Coverage: Family Eff: 02-24-24']],
  );
  assert.equal(fields.plan_name, undefined);
  assert.equal(fields.insurer_name?.value, 'HICKORY STATE TEACHERS HEALTH PLAN');
  assert.equal(fields.effective_date?.value, '2024-02-24');
});

test('a German card’s insurer is one of few kinds, and no plan', () => {
  const fields = extracted(
    [
      [40, 'Gesundheitskarte'],
      [240, 'Heidekraut BKK'],
    ],
    [[40, 'Friedegund Osterloh']],
  );
  assert.equal(fields.insurer_name?.value, 'Heidekraut BKK');
  assert.equal(fields.plan_name, undefined);
});

test('who of a family is insured is no plan, and the group’s name is no member', () => {
  const fields = extracted(
    [[40, 'Meridian Dental']],
    [
      [40, 'Subscriber'],
      [160, 'ANTOINETTE L SAMPLE'],
    ],
    [
      [40, 'Subscriber ID'],
      [160, '418822704'],
    ],
    [
      [40, 'Group name'],
      [160, 'BUCKEYE PRECISION CASTING'],
    ],
    [
      [40, 'Network'],
      [160, 'Meridian Dental PPO Premier'],
    ],
    [
      [40, 'Coverage'],
      [160, 'Subscriber + Family'],
    ],
  );
  assert.equal(fields.member_name?.value, 'ANTOINETTE L SAMPLE');
  assert.equal(fields.plan_name?.value, 'Meridian Dental PPO Premier');
});

test('the day from which a plan holds is not its name', () => {
  const fields = extracted(
    [[40, 'Summit Health']],
    [[40, 'Choice Plus PPO']],
    [[40, 'Subscriber: KAREN J BLACKWOOD']],
    [[40, 'Grp: 70-441802   Coverage Eff: 01/01/2023']],
  );
  assert.equal(fields.plan_name?.value, 'Choice Plus PPO');
  assert.equal(fields.effective_date?.value, '2023-01-01');
});

test('a British member has a membership number', () => {
  const fields = extracted([[40, 'Albion Healthcare']], [[40, 'Membership number: AH-2291 8840']]);
  assert.equal(fields.member_id?.value, 'AH-2291 8840');
});

test('an insurer’s logo may have two lines, and a plan is no insurer', () => {
  const page = typesetPage(1, [
    [
      [40, 'Granite State'],
      [300, 'Select Choice PPO'],
    ],
    [[40, 'Health Partners']],
    null,
    [[40, 'Member Name: THADDEUS L WINSLOW']],
    [[40, 'Member ID']],
    [[40, 'GSH 902 447 118 01']],
    [[40, 'Group No. 0078812-040']],
    [[40, 'Effective 01/01/2025']],
    [[40, 'RxBIN 610831']],
  ]);
  // The logo is set twice as large as the rest.
  const words = page.words.map((word) =>
    word.box.y0 < 60 && word.box.x0 < 250
      ? { ...word, box: { ...word.box, y0: word.box.y0 * 2 - 64, y1: word.box.y0 * 2 - 42 } }
      : word,
  );
  const { fields } = extractFromWords(
    {
      mediaType: 'application/pdf',
      pages: [{ ...page, words, readings: [{ source: 'text', words }] }],
      attachments: [],
    },
    { docType: 'insurance_card', fields: null },
  ).extraction;
  assert.equal(fields.insurer_name?.value, 'Granite State Health Partners');
  assert.equal(fields.plan_name?.value, 'Select Choice PPO');
  assert.equal(fields.member_id?.value, 'GSH 902 447 118 01');
});

test('a cell of the table of benefits is no plan', () => {
  const fields = extracted(
    [[40, 'MyChoice Silver 4000 HSA EPO']],
    [
      [40, 'Subscriber'],
      [120, 'Clementine F. Abara'],
    ],
    [
      [100, 'In-Network'],
      [200, 'Out-of-Network'],
    ],
    [
      [40, 'Deductible'],
      [100, '$4,000'],
      [200, 'Not covered'],
    ],
  );
  assert.equal(fields.plan_name?.value, 'MyChoice Silver 4000 HSA EPO');
  assert.equal(fields.member_name?.value, 'Clementine F. Abara');
});

test('an insurer may be a fund whose name takes two lines', () => {
  const fields = extracted(
    [[40, 'TEAMSTERS LOCAL 447']],
    [[40, 'HEALTH & WELFARE FUND']],
    null,
    null,
    [[40, 'Participant: DESMOND A. FAIRWEATHER']],
    [[40, 'Participant ID: W0044-71882']],
    [[40, 'Group #: 44700']],
    [[40, 'RxBIN: 610502']],
    [[40, 'RxPCN: MEDDPRIME']],
  );
  assert.equal(fields.insurer_name?.value, 'TEAMSTERS LOCAL 447 HEALTH & WELFARE FUND');
});

test('the first of numbered members holds the card, and a control number may have a hyphen', () => {
  const fields = extracted(
    [[40, 'Sample Health']],
    [[40, 'ID W2718 44190']],
    [[40, 'NAME O1 TAMSIN E SAMPLE']],
    [[80, '02 ROBIN SAMPLE']],
    [
      [40, 'RXBIN# 610502'],
      [200, 'RXPCN# SMP-X1'],
    ],
  );
  assert.equal(fields.member_name?.value, 'TAMSIN E SAMPLE');
  assert.equal(fields.rx_pcn?.value, 'SMP-X1');
});

test('a plan without a plan’s words stands beside the insurer at the card’s head', () => {
  const fields = extracted(
    [
      [40, 'Sample Blue'],
      [400, 'Heritage Plus 1500'],
    ],
    [[40, 'Subscriber']],
    [[40, 'JEROME T SAMPLE']],
    [[40, 'Identification #']],
    [[40, 'XQC 401 88 2937']],
  );
  assert.equal(fields.plan_name?.value, 'Heritage Plus 1500');
  assert.equal(fields.member_id?.value, 'XQC 401 88 2937');
});

test('what a card calls itself is no part of its insurer', () => {
  const { insurer_name: insurer } = extracted(
    [[40, 'MUTUELLE DES DEUX EXEMPLES CARTE DE TIERS PAYANT']],
    [[40, 'N° adhérent : 44 188 207']],
    [[40, 'Assuré principal : EXEMPLE Solange']],
  );
  assert.equal(insurer?.value, 'MUTUELLE DES DEUX EXEMPLES');
});

test('whom a card captions is its member, not the first of those numbered below', () => {
  const layout = layOut(
    typeset([
      [[40, 'Subscriber: KENJIRO A SAMPLE']],
      [[40, 'Dependents:']],
      [[40, '01 MARY SAMPLE']],
      [[40, '02 LEO SAMPLE']],
    ]),
  );
  const fields = composeFields(documentTypeOf('insurance_card'), layout, decideLocale(layout), []);
  assert.equal(fields.member_name?.value, 'KENJIRO A SAMPLE');
});

test('a card of a prescription plan was issued on one day and holds from another', () => {
  const fields = extracted(
    [[40, 'Example Meridian.']],
    [[40, 'Example Meridian Walgrove Value Rx (PDP)']],
    [[40, 'A Medicare Prescription Drug Plan']],
    [
      [40, 'CARD ISSUED:'],
      [160, '12/04/2023'],
    ],
    [
      [40, 'EFFECTIVE:'],
      [160, '01/01/2024'],
    ],
    [[40, 'MEMBER NAME']],
    [[40, 'JANE P DOE']],
  );
  assert.equal(fields.effective_date?.value, '2024-01-01');
  assert.equal(fields.plan_name?.value, 'Example Meridian Walgrove Value Rx (PDP)');
});

test('a program of discounts is no plan, though a word before it captions plans elsewhere', () => {
  const fields = extracted(
    [
      [40, 'Cascadia'],
      [300, 'Open Access Plus'],
    ],
    [[40, 'ID: U44177288 01']],
    [[40, 'Name: Jane Doe']],
    [[300, 'Network Savings Program']],
  );
  assert.equal(fields.plan_name?.value, 'Open Access Plus');
});

test('the insurance of a state has its title for a name', () => {
  const fields = extracted(
    [[40, 'MEDICARE HEALTH INSURANCE']],
    null,
    [[40, 'Name/Nombre']],
    [[40, 'LORRAINE P HUTCHENS']],
  );
  assert.equal(fields.insurer_name?.value, 'MEDICARE');
});

test('a plan’s name goes on with its deductible', () => {
  const fields = extracted(
    [[40, 'Tidewater BlueShore Health Insurance']],
    [[40, 'Subscriber Name: MARCUS D ELLINGTON']],
    [[40, 'Benefit Plan: BlueEdge HSA 3000']],
  );
  assert.equal(fields.plan_name?.value, 'BlueEdge HSA 3000');
});

test('who manages the pharmacies of a plan is no plan', () => {
  const type = documentTypeOf('insurance_card');
  const layout = layOut(
    typeset([
      [[40, 'Summit Health']],
      [
        [40, 'Choice Plus PPO'],
        [240, 'OptiScript'],
      ],
    ]),
  );
  const findings = { type, layout, locale: decideLocale(layout), candidates: [] };
  const logo = { value: 'OptiScript', confidence: 89, provenance: [], flags: [] };
  assert.equal(insuranceCardRules.check?.({ plan_name: logo }, [], findings).plan_name?.value, 'Choice Plus PPO');
});

test('the first of the members that a card numbers is its member, whatever employer stands beside', () => {
  const fields = extracted(
    [
      [40, 'alderna'],
      [300, 'Choice POS II'],
    ],
    [
      [40, 'ID W2471 88305'],
      [300, 'GRP: 0476218-014-00003'],
    ],
    [
      [40, 'NAME'],
      [300, 'CROSSFIELD TRANSIT AUTHORITY'],
    ],
    [
      [40, '01 SAMPLE, NOLAN'],
      [300, 'RXBIN# 610511'],
    ],
    [
      [40, '02 SAMPLE, GRETA'],
      [300, 'RXPCN# ADV7'],
    ],
  );
  assert.equal(fields.member_name?.value, 'SAMPLE, NOLAN');
});

test('the European card is known by its numbered boxes, in whatever letters its title was read', () => {
  const fields = extracted(
    [[40, 'EUROPAISCHE KRANKENVERSICHERUNGSKARTE']],
    null,
    [[40, '3. Name']],
    [[40, 'SCHWANKE']],
    [
      [40, '4. Vornamen'],
      [300, '5. Geburtsdatum'],
    ],
    [
      [40, 'LEONIE CHARLOTTE'],
      [300, '24/08/1998'],
    ],
    [[40, '6. Personliche Kennnummer']],
    [[40, 'K417739026']],
    [[40, '7. Kennnummer des Tragers']],
    [[40, '500001 - SSN-MIN SALUTE - 500001']],
    [[40, '8. Kennnummer der Karte']],
    [[40, '80276883110044179026']],
  );
  assert.equal(fields.member_name?.value, 'LEONIE CHARLOTTE SCHWANKE');
  assert.equal(fields.insurer_name?.value, 'SSN-MIN SALUTE');
});

test('a card in two languages says from when it holds', () => {
  const fields = extracted(
    [[40, 'Starlight Health Plan']],
    null,
    [
      [40, 'Effective Date/ Fecha de vigencia'],
      [300, 'DOB/ Fecha de nacimiento'],
    ],
    [
      [40, '09/21/2023'],
      [300, '11/19/2017'],
    ],
  );
  assert.equal(fields.effective_date?.value, '2023-09-21');
});

test('on a tilted picture the insurer is the first of its row, not the highest of it', () => {
  const page = typesetPage(1, [
    [
      [40, 'Solana HEALTHCARE'],
      [400, 'Marketplace'],
    ],
    null,
    [[40, 'Member: Trinidad Sample']],
    [[40, 'Identification #: 4004718826']],
  ]);
  const words = page.words.map((word) =>
    word.text === 'Marketplace' ? { ...word, box: { ...word.box, y0: word.box.y0 - 2, y1: word.box.y1 - 2 } } : word,
  );
  const tilted = { ...page, words, readings: [{ source: 'text' as const, words }] };
  const read = { mediaType: 'application/pdf' as const, pages: [tilted], attachments: [] };
  const { fields } = extractFromWords(read, { docType: 'insurance_card', fields: null }).extraction;
  assert.equal(fields.insurer_name?.value, 'Solana HEALTHCARE');
});

test('a caption with a colon below another’s row makes no table of both rows', () => {
  const fields = extracted(
    [[40, 'Sample Health']],
    [
      [40, 'Identification Number:'],
      [260, 'RxPCN:'],
      [340, 'ADV'],
    ],
    [
      [40, 'ZXQ844172066'],
      [260, 'RxGrp:'],
      [340, 'RX3817'],
    ],
  );
  assert.equal(fields.rx_pcn?.value, 'ADV');
  assert.equal(fields.member_id?.value, 'ZXQ844172066');
});

test('a plan of Medicare has the number of its contract, and its kind on a line of its own', () => {
  const fields = extracted(
    [[40, 'Sample Gold Choice H5216-301']],
    [[40, '(PPO)']],
    [[40, 'Member ID: H71844209']],
    [[40, 'BARTHOLOMEW K SAMPLE']],
  );
  assert.equal(fields.plan_name?.value, 'Sample Gold Choice H5216-301 (PPO)');
  assert.equal(fields.member_name?.value, 'BARTHOLOMEW K SAMPLE');
});

test('what a page says of its card is no insurer, and what a card calls itself is no member', () => {
  const fields = extracted(
    [[40, 'How to read your member ID card']],
    [[40, 'Benefits Identification Card']],
    [[40, 'ID No. 94418207A72034']],
    [[40, 'ROSALBA T SAMPLE']],
    [
      [40, 'RxBIN/PCN'],
      [160, '020099/WG'],
    ],
  );
  assert.notEqual(fields.insurer_name?.value, 'How to read your member ID card');
  assert.equal(fields.member_name?.value, 'ROSALBA T SAMPLE');
  assert.equal(fields.rx_bin?.value, '020099');
  assert.equal(fields.rx_pcn?.value, 'WG');
});

test('a plan may stand below the insurer, and the second of a family is not the member', () => {
  const fields = extracted(
    [[40, 'Oak Valley HealthPartners']],
    [[40, 'Family Sample Plus']],
    null,
    [[40, 'Insured']],
    [[40, 'EXAMPLE, JANE Q']],
    [[40, 'Dependents']],
    [[40, '02 SAM EXAMPLE']],
  );
  assert.equal(fields.plan_name?.value, 'Family Sample Plus');
  assert.equal(fields.member_name?.value, 'EXAMPLE, JANE Q');
});

test('a card of a state names its holder in two lines, beside a number of a known form', () => {
  const vital = extracted(
    [[40, 'Vitale']],
    [[40, "carte d'assurance maladie"]],
    [[40, 'JOSIANE']],
    [[40, 'QUERMANDEL']],
    [[40, '2 81 07 44 109 236 58']],
  );
  assert.equal(vital.member_id?.value, '2 81 07 44 109 236 58');
  assert.equal(vital.member_name?.value, 'JOSIANE QUERMANDEL');
  const ontarian = extracted(
    [[40, 'Ontario']],
    [[40, '3307 - 118 - 624 - KV']],
    [[40, 'BORN / NÉ(E)']],
    [[40, '1961 - 11 - 03']],
  );
  assert.equal(ontarian.member_id?.value, '3307 - 118 - 624 - KV');
});

test('what several insurers sell under one name is not the insurer', () => {
  const fields = extracted(
    [[40, 'Medicare Supplement Insurance Plans']],
    [[40, 'Insured: HAROLD T WINSLADE']],
    [[40, 'Membership Number: 207718443-1']],
  );
  assert.equal(fields.insurer_name, undefined);
  assert.equal(fields.member_name?.value, 'HAROLD T WINSLADE');
});
