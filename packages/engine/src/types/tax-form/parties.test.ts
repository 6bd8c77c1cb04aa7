import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractFromWords } from '../../extract.ts';
import { layOut } from '../../layout/layout.ts';
import { type PrintedRow, typeset } from '../../layout/typeset.ts';
import { composeTaxParties } from './parties.ts';

const parties = (...rows: PrintedRow[]) =>
  Object.fromEntries(
    Object.entries(composeTaxParties(layOut(typeset(rows)))).map(([name, value]) => [name, value?.value]),
  );

test('a taxpayer’s own return has names and the parts of the address in boxes', () => {
  const fields = parties(
    [[40, 'Form 1040 U.S. Individual Income Tax Return 2020']],
    [
      [40, 'Your first name and middle initial'],
      [240, 'Last name'],
      [360, 'Your social security number'],
    ],
    [
      [40, 'NADIA R'],
      [240, 'SIMMONS'],
      [360, '230-44-1187'],
    ],
    [[40, 'Home address (number and street). If you have a P.O. box, see instructions.']],
    [[40, '19 LINDEN ST']],
    [
      [40, 'City, town, or post office.'],
      [480, 'State'],
      [520, 'ZIP code'],
    ],
    [
      [40, 'DOVER'],
      [480, 'DE'],
      [520, '19901'],
    ],
  );
  assert.equal(fields.recipient_name, 'NADIA R SIMMONS');
  assert.equal(fields.recipient_tax_id, '230-44-1187');
  assert.equal(fields.recipient_address, '19 LINDEN ST, DOVER DE 19901');
});

test('the surname and forenames of a P60 may stand in columns', () => {
  const fields = parties(
    [[40, 'P60 End of Year Certificate']],
    [
      [40, 'Surname'],
      [160, 'Forenames or initials'],
    ],
    [
      [40, 'FRASER'],
      [160, 'MISS E'],
    ],
  );
  assert.equal(fields.recipient_name, 'MISS E FRASER');
});

test('the W-9 of 2024 asks for the name of an entity or individual', () => {
  const fields = parties(
    [[40, 'Form W-9 Request for Taxpayer Identification Number and Certification']],
    [[40, '1 Name of entity/individual. An entry is required.']],
    [[40, 'Tamarack Design Studio LLC']],
    [[40, '5 Address (number, street, and apt. or suite no.). See instructions.']],
    [[40, '12 Foundry Ln']],
    [[40, '6 City, state, and ZIP code']],
    [[40, 'Asheville, NC 28801']],
  );
  assert.equal(fields.recipient_name, 'Tamarack Design Studio LLC');
  assert.equal(fields.recipient_address, '12 Foundry Ln, Asheville, NC 28801');
});

test('employers and employees have numbers of the state in short words', () => {
  const fields = parties(
    [
      [40, 'b Employer’s FED ID number'],
      [240, 'a Employee’s SSA number'],
    ],
    [
      [40, '86-6001442'],
      [240, '600-22-1187'],
    ],
  );
  assert.equal(fields.payer_tax_id, '86-6001442');
  assert.equal(fields.recipient_tax_id, '600-22-1187');
});

test('only of who pays a form asks for the telephone number', () => {
  const fields = parties(
    [[40, 'foreign postal code, and telephone no.']],
    [[40, 'Example Courier Inc.']],
    [[40, '500 Third Street']],
    [[40, 'San Francisco, CA 94107']],
  );
  assert.equal(fields.payer_name, 'Example Courier Inc.');
});

test('a name goes on behind a sign for and', () => {
  const fields = parties(
    [[40, 'RECIPIENT’S name']],
    [
      [40, 'Wendell'],
      [85, '&'],
      [100, 'Ruth Doe Trust'],
    ],
  );
  assert.equal(fields.recipient_name, 'Wendell & Ruth Doe Trust');
});

test('a request for a taxpayer’s number asks for nobody’s but the taxpayer’s name, address and number', () => {
  const fields = parties(
    [[40, 'Form W-9 Request for Taxpayer Identification Number and Certification']],
    null,
    [
      [
        40,
        '1 Name of entity/individual. An entry is required. (For a sole proprietor, enter the owner’s name on line 1, and',
      ],
    ],
    [[40, 'the business’s name on line 2.)']],
    [[40, 'Sample Fields Catering LLC']],
    null,
    [
      [40, '5 Address (number, street, and apt. or suite no.). See instructions.'],
      [420, 'Requester’s name and address (optional)'],
    ],
    [
      [40, '312 Wharton Ave, Suite B'],
      [420, 'Example Events Group'],
    ],
    [
      [40, '6 City, state, and ZIP code'],
      [420, '9 Shore Path'],
    ],
    [
      [40, 'Bangor, ME 04401'],
      [420, 'Bar Harbor, ME 04609'],
    ],
    null,
    null,
    [[360, 'Social security number']],
    [[360, 'or']],
    [[360, 'Employer identification number']],
    [[360, '46-2210985']],
  );
  assert.equal(fields.recipient_name, 'Sample Fields Catering LLC');
  assert.equal(fields.recipient_address, '312 Wharton Ave, Suite B, Bangor, ME 04401');
  assert.equal(fields.recipient_tax_id, '46-2210985');
  assert.equal(fields.payer_tax_id, undefined);
});

test('a number’s caption may go on below it, and a street may have none of the usual words', () => {
  const fields = parties(
    [
      [40, '22222 VOID'],
      [200, 'a Employee’s social security'],
    ],
    [[200, 'number']],
    [[200, '532-90-4417']],
    null,
    [
      [40, 'Name and address of the Employer'],
      [320, 'Name and address of the Employee'],
    ],
    [
      [40, 'EXAMPLE INFOSOFT PRIVATE LIMITED'],
      [320, 'ASHA EXAMPLE IYER'],
    ],
    [
      [40, '4TH FLOOR, SAMPLE TOWER'],
      [320, '12 4TH CROSS, MALLESHWARAM,'],
    ],
    [
      [40, 'BENGALURU - 560001 Karnataka'],
      [320, 'BENGALURU - 560003 Karnataka'],
    ],
    null,
    [[40, 'PAN of the Deductor']],
    [[40, 'AAACZ4410K']],
  );
  assert.equal(fields.recipient_tax_id, '532-90-4417');
  assert.equal(fields.recipient_address, '12 4TH CROSS, MALLESHWARAM, BENGALURU - 560003 Karnataka');
  assert.equal(fields.payer_tax_id, 'AAACZ4410K');
});

test('a notice of tax names whom it is addressed to, by the number of a taxpayer in France', () => {
  const fields = parties(
    [[40, 'DIRECTION GÉNÉRALE DES FINANCES PUBLIQUES']],
    null,
    [[40, 'Numéro fiscal : 30 12 884 771 209']],
    [[320, 'MME EXEMPLE CLEMENCE']],
    [[320, '23 RUE DE LA REPUBLIQUE']],
    [[320, '69002 LYON']],
  );
  assert.equal(fields.recipient_name, 'MME EXEMPLE CLEMENCE');
  assert.equal(fields.recipient_tax_id, '30 12 884 771 209');
  assert.equal(fields.recipient_address, '23 RUE DE LA REPUBLIQUE, 69002 LYON');
});

test('a form’s year may stand in two halves below its caption', () => {
  const { fields } = extractFromWords(
    typeset([
      [[40, 'Form 1099-INT (Rev. January 2022)']],
      [[40, 'For calendar year']],
      [[40, '20 24']],
      [[40, '1 Interest income']],
      [[40, '$ 412.87']],
    ]),
    { docType: 'tax_form', fields: null },
  ).extraction;
  assert.equal(fields.tax_year?.value, 2024);
});

test('a letter’s addressee is the recipient, and a block captioned with the employer the payer', () => {
  const fields = parties(
    [[40, 'Ausdruck der elektronischen Lohnsteuerbescheinigung für 2024']],
    null,
    [[40, 'Herrn']],
    [[40, 'Florian Muster']],
    [[40, 'Am Weinberg 12']],
    [[40, '85072 Eichstätt']],
    null,
    null,
    [[40, 'Anschrift und Steuernummer des Arbeitgebers:']],
    [[40, 'Beispiel Brauerei KG']],
    [[40, 'Ostenstr. 4']],
    [[40, '85072 Eichstätt']],
  );
  assert.equal(fields.payer_name, 'Beispiel Brauerei KG');
  assert.equal(fields.recipient_name, 'Florian Muster');
  assert.equal(fields.recipient_address, 'Am Weinberg 12, 85072 Eichstätt');
});

test('a box for a name may name its parts, and Canada’s number is in three groups', () => {
  const fields = parties(
    [[40, 'T4']],
    [[40, '12 Social insurance number']],
    [[40, '441 882 017']],
    null,
    [[40, 'Employee’s name and address']],
    [[40, 'Last name (in capital letters)']],
    [
      [40, 'GILLIS'],
      [100, 'MAEVE'],
    ],
    [[40, '27 HARBOUR HILL RD']],
    [[40, 'CHETICAMP NS B0E 1H0']],
  );
  assert.equal(fields.recipient_name, 'GILLIS MAEVE');
  assert.equal(fields.recipient_tax_id, '441 882 017');
});

test('an employee’s two names stand some way below the captions of their box, of which a letter was lost', () => {
  const fields = parties(
    [
      [40, 'e Employee’s fist name and initial'],
      [240, 'Last name'],
    ],
    null,
    null,
    [
      [40, 'Mary M'],
      [240, 'Major'],
    ],
    [[40, '12 Sample Ct']],
    [[40, 'Flagstaff AZ 86004']],
  );
  assert.equal(fields.recipient_name, 'Mary M Major');
});

test('a W-9’s small print may be read with faults, and its empty boxes as zeros', () => {
  const fields = parties(
    [[40, 'Form W-9 Request for Taxpayer Identification Number and Certification']],
    [[40, '1 Name(as shown on yourincome taxretum).Name is required on this line;do not leave this line blank.']],
    [[60, 'Jane Doe']],
    null,
    [[40, '5 Address(number steet and apt r suite no.)See nstrutn.']],
    [[60, '9 Sample Street, Suite 210']],
    [[40, '6 City stae and IP o']],
    [[60, 'Lowell,MA 01852']],
    null,
    [[300, 'Social security number']],
    [[300, '000-00-0000']],
    [[300, 'Employer identification number']],
    [[300, '4 7-331 82 0 5']],
  );
  assert.equal(fields.recipient_name, 'Jane Doe');
  assert.equal(fields.recipient_address, '9 Sample Street, Suite 210, Lowell,MA 01852');
  assert.equal(fields.recipient_tax_id, '47-3318205');
});

test('a surname’s box stands left of that of the names before it', () => {
  const fields = parties(
    [[40, 'T4 Statement of Remuneration Paid']],
    [[40, 'Employee’s name and address – Nom et adresse de l’employé']],
    [
      [40, 'Last name (in capital letters)'],
      [200, 'First name – Prénom'],
    ],
    [
      [40, 'MUSTER'],
      [200, 'Delphine'],
    ],
    [[40, '1180 Sample Dr NW']],
    [[40, 'Calgary AB T2L 0C1']],
  );
  assert.equal(fields.recipient_name, 'MUSTER Delphine');
});

test('a form is what its title says, not what a sentence mentions, nor of a day’s year', () => {
  const { fields } = extractFromWords(
    typeset([
      [
        [40, 'EXAMPLE INVESTOR SERVICES'],
        [300, '2021 Form 1099-DIV'],
      ],
      [[300, 'Date prepared: January 21, 2022']],
      [[40, 'Keep this form with your 1040 records, as a negligence penalty may be imposed on you.']],
    ]),
    { docType: 'tax_form', fields: null },
  ).extraction;
  assert.deepEqual([fields.form_type?.value, fields.tax_year?.value], ['1099-DIV', 2021]);
});

test('a lender’s box may have lost a letter of its caption', () => {
  const fields = parties(
    [[40, 'RECIPIENTS/ENDERS name, street address, city or town, state, and telephone no.']],
    [[40, 'SAMPLE HOME LENDING']],
    [[40, 'PO BOX 8814']],
    [[40, 'DENVER CO 80201']],
  );
  assert.equal(fields.payer_name, 'SAMPLE HOME LENDING');
  assert.equal(fields.recipient_name, undefined);
});

test('of a caption that was broken into lines the telephone alone may say whose box it is', () => {
  const fields = parties(
    [[40, 'FILER m tadss ci rwtr']],
    [[40, 'and telephone number']],
    [[40, 'RIDGEMONT STATE UNIVERSITY']],
    [[40, '110 OLD MAIN DRIVE']],
    [[40, 'RIDGEMONT VT 05674']],
  );
  assert.equal(fields.payer_name, 'RIDGEMONT STATE UNIVERSITY');
});

test('a P45 has its numbers in cells, and the postcode of the private address at a caption of its own', () => {
  const fields = parties(
    [[40, 'P45 Part 1A']],
    [[40, '1 Employer PAYE reference']],
    [
      [50, 'Office number'],
      [130, 'Reference number'],
    ],
    [
      [55, '581'],
      [80, '/'],
      [104, 'WZ40716'],
    ],
    null,
    [[40, '2 Employee’s National Insurance number']],
    [...'SK903174A'].map((letter, at) => [50 + 14 * at, letter] as const),
    null,
    [[40, 'Surname or family name']],
    [[50, 'ABERNETHY']],
    null,
    [[40, '12 Employee’s private address']],
    [[50, 'FLAT 3']],
    [[50, '211 GARTHDEE ROAD']],
    [[50, 'ABERDEEN']],
    [
      [50, 'Postcode'],
      [110, 'AB10 7AY'],
    ],
  );
  assert.equal(fields.payer_tax_id, '581/WZ40716');
  assert.equal(fields.recipient_tax_id, 'SK903174A');
  assert.equal(fields.recipient_address, 'FLAT 3, 211 GARTHDEE ROAD, ABERDEEN, AB10 7AY');
});

test('an employer’s account with the revenue is its number', () => {
  const fields = parties([[40, '54 Employer’s account number / Numéro de compte']], [[50, '83120 4471 RP0001']]);
  assert.equal(fields.payer_tax_id, '83120 4471 RP0001');
  const unparted = parties([[40, '54 Employer’s account number / Numéro de compte']], [[50, '831204471 RP0001']]);
  assert.equal(unparted.payer_tax_id, '831204471 RP0001');
});

test('a statement of benefits is a form of its own', () => {
  const rows: PrintedRow[] = [
    [[40, 'FORM SSA-1099 – SOCIAL SECURITY BENEFIT STATEMENT']],
    [[40, 'Box 1. Name']],
    [[40, 'ALMA J KOWALCZYK']],
  ];
  const { fields } = extractFromWords(typeset(rows), { docType: 'tax_form', fields: null }).extraction;
  assert.equal(fields.form_type?.value, 'SSA-1099');
});

test('a German employer’s tax number stands below its address', () => {
  const fields = parties(
    [[40, 'Ausdruck der elektronischen Lohnsteuerbescheinigung für 2023']],
    null,
    [[40, 'Anschrift und Steuernummer des Arbeitgebers:']],
    [[40, 'Rhöner Möbelwerkstätten GmbH']],
    [[40, 'Industriestraße 41']],
    [[40, '36088 Hünfeld']],
    [[40, '018 231 44177']],
  );
  assert.equal(fields.payer_name, 'Rhöner Möbelwerkstätten GmbH');
  assert.equal(fields.payer_tax_id, '018 231 44177');
});

test('sections of a form say whose data they have, and its boxes only what it is', () => {
  const spanish = parties(
    [[40, 'Certificado de Retenciones e Ingresos a cuenta del I.R.P.F.']],
    [[40, 'Datos del perceptor']],
    [
      [40, 'NIF'],
      [200, 'Apellidos y nombre'],
    ],
    [
      [40, '44718820Q'],
      [200, 'EJEMPLO SOLER, ROSA'],
    ],
    null,
    [[40, 'Datos del pagador']],
    [
      [40, 'NIF'],
      [200, 'Denominación o razón social'],
    ],
    [
      [40, 'B46550184'],
      [200, 'EJEMPLO CERÁMICA, S.L.'],
    ],
  );
  assert.equal(spanish.recipient_tax_id, '44718820Q');
  assert.equal(spanish.recipient_name, 'EJEMPLO SOLER, ROSA');
  assert.equal(spanish.payer_tax_id, 'B46550184');
  assert.equal(spanish.payer_name, 'EJEMPLO CERÁMICA, S.L.');
  const italian = parties(
    [
      [20, 'DATI RELATIVI AL'],
      [140, 'Codice fiscale'],
      [300, 'Cognome o Denominazione'],
      [450, 'Nome'],
    ],
    [
      [20, 'DIPENDENTE'],
      [140, 'SMPLCU84H52C957R'],
      [300, 'ESEMPIO'],
      [450, 'LUCIA'],
    ],
  );
  assert.equal(italian.recipient_name, 'ESEMPIO LUCIA');
  assert.equal(italian.recipient_tax_id, 'SMPLCU84H52C957R');
});

test('who receives a loan’s interest files the form, and its name may take two lines', () => {
  const fields = parties(
    [[40, "RECIPIENT'S/LENDER'S name, street address, city or town, state or province"]],
    [[40, 'EXAMPLE HARBOR EDUCATION']],
    [[40, 'SERVICING LLC']],
    [[40, '120 PIER ST']],
    [[40, 'DOVER DE 19901']],
    null,
    [
      [40, "RECIPIENT'S TIN"],
      [240, "BORROWER'S TIN"],
    ],
    [
      [40, '23-5550418'],
      [240, '***-**-7302'],
    ],
  );
  assert.equal(fields.payer_name, 'EXAMPLE HARBOR EDUCATION SERVICING LLC');
  assert.equal(fields.payer_tax_id, '23-5550418');
  assert.equal(fields.recipient_tax_id, '***-**-7302');
});

test('a tax office writes to a couple, and its number for them stands beside its caption', () => {
  const fields = parties(
    [
      [40, 'Finanzamt Musterstadt'],
      [400, 'Telefon 09081 555-0'],
    ],
    [
      [40, 'Steuernummer'],
      [160, '152/241/30877'],
    ],
    null,
    null,
    [[40, 'Herrn und Frau']],
    [[40, 'Max Muster']],
    [[40, 'Kapellenberg 23']],
    [[40, '86738 Deiningen']],
  );
  assert.equal(fields.recipient_name, 'Max Muster');
  assert.equal(fields.recipient_address, 'Kapellenberg 23, 86738 Deiningen');
  assert.equal(fields.recipient_tax_id, '152/241/30877');
  assert.equal(fields.payer_tax_id, undefined);
});

test('a title may be set in several lines', () => {
  const formOf = (...rows: PrintedRow[]) =>
    extractFromWords(typeset(rows), { docType: 'tax_form', fields: null }).extraction.fields.form_type?.value;
  assert.equal(formOf([[40, 'CERTIFICAZIONE']], [[40, 'UNICA 2023']]), 'Certificazione unica');
  assert.equal(formOf([[40, 'Mod. F24']], [[40, 'MODELLO DI PAGAMENTO UNIFICATO']]), 'Mod. F24');
  assert.equal(formOf([[40, 'DEMONSTRAÇÃO DE LIQUIDAÇÃO DE IRS']]), 'Demonstração de liquidação');
  assert.equal(formOf([[40, 'AVIS DE TAXES FONCIERES']]), 'Avis de taxes foncières');
  assert.equal(
    formOf([[40, 'Bescheid']], [[40, 'für 2022 über']], [[40, 'Einkommensteuer,']]),
    'Einkommensteuerbescheid',
  );
  assert.equal(formOf([[40, 'Bescheid fuir 2023']], [[40, 'iber Einkommensteuer,']]), 'Einkommensteuerbescheid');
  assert.equal(
    formOf([[40, 'PAYG payment summary — individual non-business']]),
    'PAYG payment summary — individual non-business',
  );
});

test('a P11D has the employer’s reference and the employee’s number below their captions', () => {
  const fields = parties(
    [[40, 'P11D Expenses and benefits 2022 to 2023']],
    [
      [40, 'PAYE reference'],
      [240, 'National Insurance number'],
    ],
    [
      [40, '581/CZ4471'],
      [240, 'JX 40 82 17 C'],
    ],
  );
  assert.equal(fields.payer_tax_id, '581/CZ4471');
  assert.equal(fields.recipient_tax_id, 'JX 40 82 17 C');
});

test('a bank certifies what it withheld in a letter under its name', () => {
  const document = typeset([
    [[40, 'Hanseatische Musterbank AG']],
    null,
    [[40, 'Frau']],
    [[40, 'Erika Muster']],
    [[40, 'Osterdeich 418']],
    [[40, '28205 Bremen']],
    null,
    [[40, 'Steuerbescheinigung für das Kalenderjahr 2023']],
  ]);
  const [page] = document.pages;
  // Its name is set larger than the letter.
  const words = page!.words.map((word) => (word.box.y0 === 40 ? { ...word, box: { ...word.box, y0: 28 } } : word));
  const fields = composeTaxParties(layOut({ ...document, pages: [{ ...page!, words }] }));
  assert.equal(fields.payer_name?.value, 'Hanseatische Musterbank AG');
  assert.equal(fields.recipient_name?.value, 'Erika Muster');
});

test('only of a person a form asks for the SSA number', () => {
  const fields = parties(
    [[40, 'W-2 Wage and Tax Statement 2023']],
    [[40, 'a Emplay oe’s SSA number']],
    [[40, 'XXX-XX-2284']],
  );
  assert.equal(fields.recipient_tax_id, 'XXX-XX-2284');
});

test('the last name stands below its own caption, however far from the first', () => {
  const fields = parties(
    [[40, 'Form 1040 U.S. Individual Income Tax Return 2023']],
    [
      [40, 'Your first name and middle initial'],
      [320, 'Last name'],
    ],
    [
      [40, 'LUCINDA M'],
      [320, 'EXAMPLE'],
    ],
  );
  assert.equal(fields.recipient_name, 'LUCINDA M EXAMPLE');
});

test('a notice of assessment is a letter to the one person on its page', () => {
  const rows: PrintedRow[] = [
    [
      [40, 'Canada Revenue Agency'],
      [300, 'Social insurance number'],
      [440, '648 XXX 227'],
    ],
    null,
    [[40, 'EGBERT EXAMPLE-FISK']],
    [[40, '1188 RIDGE RD UNIT 4']],
    [[40, 'THUNDER BAY ON P7B 2K4']],
    null,
    [[40, 'Notice of assessment']],
  ];
  const fields = parties(...rows);
  assert.equal(fields.recipient_name, 'EGBERT EXAMPLE-FISK');
  assert.equal(fields.recipient_tax_id, '648 XXX 227');
  const { extraction } = extractFromWords(typeset(rows), { docType: 'tax_form', fields: null });
  assert.equal(extraction.fields.form_type?.value, 'Notice of assessment');
});

test('a return identifies whom it is of, and a statement has the recipient’s number beside its caption', () => {
  const spanish = parties(
    [[40, 'Modelo 303']],
    [[40, 'Identificación (1)']],
    [
      [40, 'NIF'],
      [160, 'Apellidos y Nombre o Razón social'],
    ],
    [
      [40, 'B73448120'],
      [160, 'CONSERVAS EJEMPLO, S.L.'],
    ],
  );
  assert.equal(spanish.recipient_tax_id, 'B73448120');
  assert.equal(spanish.recipient_name, 'CONSERVAS EJEMPLO, S.L.');
  const american = parties([
    [300, 'Recipient ID No.'],
    [440, '***-**-6618'],
  ]);
  assert.equal(american.recipient_tax_id, '***-**-6618');
});

test('a taxpayer’s section has a number in cells, and the parts of the address in boxes', () => {
  const fields = parties(
    [[40, 'CONTRIBUENTE']],
    [[40, 'CODICE FISCALE'], ...[...'RSSMRA80A01H501U'].map((sign, at): [number, string] => [140 + 12 * at, sign])],
    [
      [140, 'cognome, denominazione o ragione sociale'],
      [400, 'nome'],
    ],
    [
      [140, 'ROSSI'],
      [400, 'MARIO'],
    ],
    [
      [140, 'comune'],
      [260, 'prov.'],
      [320, 'via e numero civico'],
    ],
    [
      [140, 'FANO'],
      [260, 'PU'],
      [320, 'VIA ROMA 131'],
    ],
  );
  assert.equal(fields.recipient_tax_id, 'RSSMRA80A01H501U');
  assert.equal(fields.recipient_name, 'ROSSI MARIO');
  assert.equal(fields.recipient_address, 'VIA ROMA 131, FANO PU');
});

test('a P60 is sent to whom it names in its window', () => {
  const fields = parties(
    [[40, 'P60 End of Year Certificate']],
    [
      [40, 'Example Packaging Ltd'],
      [320, 'To employee'],
    ],
    [[320, 'Mrs A J Fairchild']],
    [[320, '22 Ripon Terrace']],
    [[320, 'Halifax']],
    [[320, 'HX2 0QD']],
  );
  assert.equal(fields.recipient_name, 'Mrs A J Fairchild');
  assert.equal(fields.recipient_address, '22 Ripon Terrace, Halifax, HX2 0QD');
});

test('a tax office heads its letter, and a colon may stand before the taxpayer’s number', () => {
  const fields = parties(
    [
      [40, 'Numéro fiscal'],
      [160, ': 07 21 118 604 392'],
      [320, 'SIP DE MONTLUÇON'],
    ],
    null,
    [[320, 'MME EXEMPLE CLEMENCE']],
    [[320, '23 RUE DE LA REPUBLIQUE']],
    [[320, '69002 LYON']],
  );
  assert.equal(fields.payer_name, 'SIP DE MONTLUÇON');
  assert.equal(fields.recipient_name, 'MME EXEMPLE CLEMENCE');
  assert.equal(fields.recipient_tax_id, '07 21 118 604 392');
});

test('a return’s small print may be misread: groups of a number, a last name and a town stand in boxes', () => {
  const fields = parties(
    [
      [40, 'Form 1040'],
      [200, 'U.S. Individual Income Tax Return'],
    ],
    [
      [40, 'Your first name and middle initial'],
      [240, 'Last namo'],
      [400, 'Your social security number'],
    ],
    [
      [40, 'Desmond K'],
      [400, '401'],
      [430, '88 2276'],
    ],
    [[244, 'Okonjo-Pratt']],
    [[40, 'Home address (number and street) if you have a PO.box seo instructions.']],
    [[40, '2816 Juniper Hollow Rd']],
    [
      [40, 'City tw r st office you have'],
      [480, 'State'],
      [520, 'ZIP code'],
    ],
    [
      [40, 'Boise'],
      [480, 'ID'],
      [520, '83702'],
    ],
  );
  assert.equal(fields.recipient_name, 'Desmond K Okonjo-Pratt');
  assert.equal(fields.recipient_tax_id, '401-88-2276');
  assert.equal(fields.recipient_address, '2816 Juniper Hollow Rd, Boise ID 83702');
});

test('a lender’s name goes on where its first line asks for more', () => {
  const fields = parties(
    [[40, 'RECIPIENT’S/LENDER’S name, street address, city or town, state or']],
    [[40, 'province, country, ZIP or foreign postal code, and telephone no.']],
    [[40, 'Blue Heron Loans, a division of']],
    [[40, 'Estuary Federal Bank']],
    [[40, 'PO Box 9940']],
    [[40, 'Wilmington, DE 19809']],
  );
  assert.equal(fields.payer_name, 'Blue Heron Loans, a division of Estuary Federal Bank');
});

test('a Spanish taxpayer has two surnames and a name in boxes', () => {
  const fields = parties(
    [[40, 'Primer declarante']],
    [
      [40, 'NIF'],
      [120, 'Primer apellido'],
      [260, 'Segundo apellido'],
      [400, 'Nombre'],
    ],
    [
      [40, '52110784K'],
      [120, 'EJEMPLO'],
      [260, 'DELGADO'],
      [400, 'ANA'],
    ],
  );
  assert.equal(fields.recipient_tax_id, '52110784K');
  assert.equal(fields.recipient_name, 'EJEMPLO DELGADO ANA');
});

test('a P45 asks for given names, and a British taxpayer’s reference has ten figures', () => {
  const leaver = parties(
    [[40, 'P45 Part 1A']],
    [[40, 'Employer PAYEreference']],
    [[40, '120/WE50311']],
    [[40, 'Surname or family name']],
    [[40, 'Abernethy']],
    [[40, 'First or given name(s)']],
    [[40, 'Rosalind Kirsty']],
  );
  assert.equal(leaver.recipient_name, 'Rosalind Kirsty Abernethy');
  assert.equal(leaver.payer_tax_id, '120/WE50311');
  const taxpayer = parties(
    [[40, 'HM Revenue & Customs']],
    null,
    [
      [40, 'Mr P Nkemelu'],
      [300, 'UTR 41872 90336'],
    ],
    [[40, 'The Old Forge']],
    [[40, 'Stoke Row']],
    [[40, 'Henley-on-Thames']],
    [[40, 'RG9 5QS']],
  );
  assert.equal(taxpayer.payer_name, 'HM Revenue & Customs');
  assert.equal(taxpayer.recipient_tax_id, '41872 90336');
});

test('a box has its number at either edge, and a name and address well below their caption', () => {
  const fields = parties(
    [
      [40, 'Employer’s FED ID number'],
      [300, 'Employee’s SSA number'],
    ],
    [
      [230, '91-1440227'],
      [480, 'XXX-XX-3308'],
    ],
    [[40, 'PAYER’S name, street address, city or town, state or province, and telephone no.']],
    null,
    null,
    null,
    [[40, 'STATE OF MINNESOTA']],
    [[40, '180 EAST FIFTH STREET']],
    [[40, 'ST PAUL MN 55101']],
  );
  assert.equal(fields.payer_tax_id, '91-1440227');
  assert.equal(fields.payer_name, 'STATE OF MINNESOTA');
});

test('a Canadian form has the captions of a name in two languages, and a name in two lines', () => {
  const fields = parties(
    [[40, 'Payer’s name – Nom du payeur']],
    [[40, 'FONDATION DES ARTS']],
    [[40, 'DE LA RIVE']],
    null,
    null,
    null,
    [[40, 'Recipient’s name and address – Nom et adresse du bénéficiaire']],
    [
      [40, 'Last name (print)'],
      [180, 'First name'],
      [300, 'Initials'],
    ],
    [
      [40, 'Nom de famille (en lettres moulées)'],
      [240, 'Prénom'],
      [300, 'Initiales'],
    ],
    [
      [40, 'EXEMPLE'],
      [180, 'Marguerite'],
      [300, 'E'],
    ],
    [[40, '1288, rue des Érables']],
    [[40, 'Laval QC H7L 2X4']],
  );
  assert.equal(fields.payer_name, 'FONDATION DES ARTS DE LA RIVE');
  assert.equal(fields.recipient_name, 'EXEMPLE Marguerite E');
  const joined = parties(
    [[40, 'Employee’s name and address – Nom et adresse de l’employé']],
    [
      [40, 'Last name (in capital letters) – Nom de famille First name – Prénom'],
      [420, 'Initial'],
    ],
    [
      [40, 'EXEMPLE'],
      [300, 'Noelle'],
      [430, 'P'],
    ],
  );
  assert.equal(joined.recipient_name, 'EXEMPLE Noelle P');
});

test('a Spanish form has its number below the word for it, and a year of which each figure has a cell', () => {
  const { fields } = extractFromWords(
    typeset([
      [
        [40, 'Agencia Tributaria'],
        [400, 'Modelo'],
      ],
      [[410, '111']],
      [
        [40, 'Declarante (1)'],
        [300, 'Devengo (2)'],
      ],
      [
        [300, 'Ejercicio'],
        [360, '2 0 2 4'],
      ],
    ]),
    { docType: 'tax_form', fields: null },
  ).extraction;
  assert.equal(fields.form_type?.value, 'Modelo 111');
  assert.equal(fields.tax_year?.value, 2024);
});

test('Dutch numbers and those that an American broker states say whose they are', () => {
  const dutch = parties(
    [[40, 'Jaaropgaaf 2023']],
    [[300, 'Loonheffingennummer 004471882L02']],
    [
      [40, 'Burgerservicenummer'],
      [300, '447188201'],
    ],
  );
  assert.equal(dutch.payer_tax_id, '004471882L02');
  assert.equal(dutch.recipient_tax_id, '447188201');
  const american = parties([
    [40, 'Recipient’s Taxpayer ID:'],
    [300, 'XX-XXX5518'],
  ]);
  assert.equal(american.recipient_tax_id, 'XX-XXX5518');
});

test('captions one below the other have their values beside them, and lose their blanks in reading', () => {
  const spanish = parties(
    [[40, 'Primer declarante']],
    [
      [40, 'NIF'],
      [160, '44718820Q'],
    ],
    [
      [40, 'Apellidos y nombre'],
      [160, 'EJEMPLO MUESTRA, ITZIAR'],
    ],
    [
      [40, 'Domicilio fiscal'],
      [160, 'C/ Ermita, 7, 01470 Amurrio'],
    ],
  );
  assert.equal(spanish.recipient_name, 'EJEMPLO MUESTRA, ITZIAR');
  const british = parties(
    [[40, 'P60 End of Year Certificate']],
    [[300, 'Employersfull name andaddress (including postcode)']],
    [[300, 'Example Boatyard Ltd']],
    [[300, 'The Slipway, Avoch']],
    [[300, 'Ross-shire IV9 8PZ']],
  );
  assert.equal(british.payer_name, 'Example Boatyard Ltd');
});

test('a German taxpayer’s number stands in a sentence, and a Dutch office heads its letter', () => {
  const german = parties([
    [40, 'Für Alois Beispiel, Identifikationsnummer 44 718 820 331, werden folgende Angaben bescheinigt:'],
  ]);
  assert.equal(german.recipient_tax_id, '44 718 820 331');
  const dutch = parties(
    [[40, 'Belastingdienst']],
    [[40, 'Postbus 2590']],
    [[40, '6401 DC Heerlen']],
    null,
    null,
    [
      [40, 'De heer J.P. Voorbeeld'],
      [360, 'BSN'],
      [440, '447188203'],
    ],
    [[40, 'Noordeinde 18']],
    [[40, '2761 EN ZEVENHUIZEN']],
  );
  assert.equal(dutch.payer_name, 'Belastingdienst');
  assert.equal(dutch.recipient_name, 'De heer J.P. Voorbeeld');
  assert.equal(dutch.recipient_tax_id, '447188203');
});

test('who takes part in a retirement plan may have a post-office box', () => {
  const fields = parties(
    [[40, 'PARTICIPANT’S name']],
    [[40, 'WILHELMINA F EXAMPLE']],
    [[40, 'Street address (including apt. no.)']],
    [[40, 'PO BOX 118']],
    [[40, 'City or town, state or province, country, and ZIP or foreign postal code']],
    [[40, 'ROUNDUP MT 59072']],
  );
  assert.equal(fields.recipient_address, 'PO BOX 118, ROUNDUP MT 59072');
});

test('the captions of an Italian form have the numbers of their boxes before them', () => {
  const fields = parties(
    [[40, 'DATI RELATIVI AL DATORE DI LAVORO, ENTE PENSIONISTICO O ALTRO SOSTITUTO D’IMPOSTA']],
    [
      [40, '1 Codice fiscale'],
      [160, '2 Cognome o Denominazione'],
    ],
    [
      [40, '04471882033'],
      [160, 'VIVAI DI ESEMPIO SRL'],
    ],
    null,
    [[40, 'DATI RELATIVI AL DIPENDENTE, PENSIONATO O ALTRO PERCETTORE DELLE SOMME']],
    [
      [40, '1 Codice fiscale'],
      [160, '2 Cognome o Denominazione'],
      [400, '3 Nome'],
    ],
    [
      [40, 'PRTLRD92T14D862W'],
      [160, 'ESEMPIO'],
      [400, 'LEONARDO'],
    ],
  );
  assert.equal(fields.payer_tax_id, '04471882033');
  assert.equal(fields.payer_name, 'VIVAI DI ESEMPIO SRL');
  assert.equal(fields.recipient_tax_id, 'PRTLRD92T14D862W');
  assert.equal(fields.recipient_name, 'ESEMPIO LEONARDO');
});

test('a person’s number may have a cell for each digit', () => {
  const fields = parties(
    [[40, 'Form 1040 U.S. Individual Income Tax Return 2020']],
    [[360, 'Your social security number']],
    [...'400188270'].map((digit, at) => [360 + 15 * at, digit] as const),
  );
  assert.equal(fields.recipient_tax_id, '400-18-8270');
});

test('beside the caption of a last name stands that of a given name, however it was read', () => {
  const fields = parties(
    [
      [40, "e Employee's tirst name and initial"],
      [330, 'Last name'],
    ],
    [
      [40, 'CELESTINO M'],
      [330, 'ARVIZU-REYES'],
    ],
  );
  assert.equal(fields.recipient_name, 'CELESTINO M ARVIZU-REYES');
});

test('the caption of an initial is no part of a name', () => {
  const fields = parties(
    [[40, "Employee's name and address – Nom et adresse de l'employé"]],
    [
      [40, 'Last name – Nom de famille'],
      [200, 'First name – Prénom'],
      [320, 'Initial –'],
    ],
    [
      [40, 'DESJARLAIS'],
      [200, 'ROXANNE'],
      [320, 'Initiale'],
    ],
  );
  assert.equal(fields.recipient_name, 'DESJARLAIS ROXANNE');
});

test('in a list of captions a payer’s name stands right of its own', () => {
  const fields = parties(
    [
      [40, "Payer's ABN or withholding payer number"],
      [300, '71 188 204 471'],
    ],
    [
      [40, "Payer's name"],
      [300, 'CLARENCE DAIRY CO-OPERATIVE LTD'],
    ],
    [
      [40, 'Signature of authorised person'],
      [300, 'J Pascoe'],
    ],
  );
  assert.equal(fields.payer_name, 'CLARENCE DAIRY CO-OPERATIVE LTD');
  assert.equal(fields.payer_tax_id, '71 188 204 471');
});

test('the caption of the box beside that of a surname is no name', () => {
  const fields = parties(
    [[40, 'P45 Part 1A']],
    [
      [40, 'Surname or family name'],
      [300, 'Total pay to date'],
    ],
    [
      [40, 'FRASER'],
      [300, '21,408.50'],
    ],
    [
      [40, 'First name(s)'],
      [300, 'Total tax to date'],
    ],
    [
      [40, 'ISLA ANN'],
      [300, '1,976.20'],
    ],
  );
  assert.equal(fields.recipient_name, 'ISLA ANN FRASER');
});

test('the taxpayer of a W-9 stands above the line of the business’s name, and the caption of the street has lost its signs', () => {
  const fields = parties(
    [[40, 'Form W-9 Request for Taxpayer']],
    [[40, '1 Na f entividual n entry squired Fra sl proprietor']],
    [[40, 'Lorenzo Castle']],
    [[40, 'Business name/disregarded entity name if different from above.']],
    [[40, 'Castle Stoneworks']],
    [[40, 'Address number street and apt r su o. e instructions']],
    [[40, '41 Quarry Bend Rd']],
    [[40, 'City.state and IP code']],
    [[40, 'Rockport, MA 01966']],
  );
  assert.equal(fields.recipient_name, 'Lorenzo Castle');
  assert.equal(fields.recipient_address, '41 Quarry Bend Rd, Rockport, MA 01966');
});

test('an Indian address ends with the state below the postal code', () => {
  const fields = parties(
    [[40, 'FORM NO. 16']],
    [[40, 'Name and address of the Employee']],
    [[40, 'HARIKA REDDY']],
    [[40, 'FLAT 204 SAI RESIDENCY, HYDERABAD - 500072']],
    [[40, 'TELANGANA']],
  );
  assert.equal(fields.recipient_address, 'FLAT 204 SAI RESIDENCY, HYDERABAD - 500072, TELANGANA');
});

test('a Schedule K-1 is of the partnership that sends it and of the partner who shares its income', () => {
  const fields = parties(
    [[40, 'Schedule K-1']],
    [[40, '(Form 1065)']],
    [[40, 'A Partnership’s employer identification number']],
    [[40, '84-2290117']],
    [[40, 'B Partnership’s name, address, city, state, and ZIP code']],
    [[40, 'Example Ridge Holdings LP']],
    [[40, '1600 Sample Pl Ste 1400']],
    [[40, 'Denver, CO 80202']],
    null,
    [[40, 'E Partner’s SSN or TIN']],
    [[40, '521-44-0098']],
    [[40, 'F Name, address, city, state, and ZIP code for partner entered in E.']],
    [[40, 'Cordelia Example']],
    [[40, '4418 W 32nd Ave']],
    [[40, 'Denver, CO 80212']],
  );
  assert.deepEqual(fields, {
    payer_tax_id: '84-2290117',
    payer_name: 'Example Ridge Holdings LP',
    recipient_tax_id: '521-44-0098',
    recipient_name: 'Cordelia Example',
    recipient_address: '4418 W 32nd Ave, Denver, CO 80212',
  });
});

test('a hidden number has dashes, and a town its state, though they were read as other signs', () => {
  const document = typeset([
    [[40, 'RECIPIENT’S TIN']],
    [[40, '***_**-6120']],
    [[40, 'RECIPIENT’S name']],
    [[40, 'WINIFRED J EXAMPLE']],
    [[40, 'Street address (including apt. no.)']],
    [[40, '612 SW 5TH AVE']],
    [[40, 'Cityor w ta r province country']],
    [[40, 'GRESHAM 0R 97080-6411']],
  ]);
  const [page] = document.pages;
  const read = {
    ...document,
    pages: [{ ...page!, words: page!.words.map((word) => ({ ...word, source: 'ocr:ppocr:1' as const })) }],
  };
  const fields = composeTaxParties(layOut(read));
  assert.equal(fields.recipient_tax_id?.value, '***-**-6120');
  assert.equal(fields.recipient_address?.value, '612 SW 5TH AVE, GRESHAM OR 97080-6411');
});

test('a town’s caption of which little was read stands between it and the street', () => {
  const fields = parties(
    [[40, 'Form 1120-S U.S. Income Tax Return for an S Corporation']],
    [[40, 'Name']],
    [[40, 'Larkspur Tools Inc']],
    [[40, 'Nmbr t nd r ui f']],
    [[40, '88 Alder Street']],
    [[40, 'City r w ta r province country nd i freign st']],
    [[40, 'Salem OR 97301']],
  );
  assert.equal(fields.recipient_address, '88 Alder Street, Salem OR 97301');
});

test('the number of the firm that prepared a return is not the taxpayer’s, whose own may begin left of its caption', () => {
  const fields = parties(
    [[40, 'Form 1120-S U.S. Income Tax Return for an S Corporation']],
    [[100, 'D Employer identification number']],
    [[180, 'AAOF']],
    [[99, '41-7000318']],
    null,
    [
      [40, "Firm's name"],
      [300, "Firm's EIN"],
      [380, '88-1234560'],
    ],
  );
  assert.equal(fields.recipient_tax_id, '41-7000318');
});

test('boxes e and f of a W-2 in one have the employee’s address, whatever else was read of their caption', () => {
  const fields = parties(
    [[40, "c Employer's name, address, and ZIP code"]],
    [[40, 'QUILLON OPTICS CORP']],
    [[40, '4 GATEWAY PLAZA']],
    [[40, 'NEWARK NJ 07102']],
    null,
    null,
    [[40, 'elf Employee a madressa n']],
    [[40, 'JORIS A EXAMPLE']],
    [[40, '31 ASHWOOD TERRACE']],
    [[40, 'MONTCLAIR NJ 07042']],
  );
  assert.equal(fields.payer_name, 'QUILLON OPTICS CORP');
  assert.equal(fields.recipient_name, 'JORIS A EXAMPLE');
  assert.equal(fields.recipient_address, '31 ASHWOOD TERRACE, MONTCLAIR NJ 07042');
});

test('the captions of a scan are known with a letter misread', () => {
  const layout = layOut(
    typeset([
      [[40, 'PAYER’S name']],
      [[40, 'Quillon Savings Bank']],
      null,
      [[40, 'RECIP1ENTS name']],
      [[40, 'JORIS A EXAMPLE']],
      [[40, 'Strect addross (including apt. no.)']],
      [[40, '31 ASHWOOD TERRACE']],
      [[40, 'City or town, state or provlnce, country, and ZIP or foreign postal code']],
      [[40, 'MONTCLAIR NJ 07042']],
    ]),
  );
  const pages = layout.document.pages.map((page) => ({
    ...page,
    words: page.words.map((word) => ({ ...word, source: 'ocr:ppocr:1' as const })),
  }));
  const fields = composeTaxParties(layOut({ ...layout.document, pages }));
  assert.equal(fields.recipient_name?.value, 'JORIS A EXAMPLE');
  assert.equal(fields.recipient_address?.value, '31 ASHWOOD TERRACE, MONTCLAIR NJ 07042');
});
