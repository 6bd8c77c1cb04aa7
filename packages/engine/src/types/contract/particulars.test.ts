import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExtractedFields } from '@millrace/document-model';
import { extractFromWords } from '../../extract.ts';
import { layOut } from '../../layout/layout.ts';
import { type PrintedRow, typeset } from '../../layout/typeset.ts';
import { decideLocale } from '../../locale/locale.ts';
import { documentTypeOf } from '../registry.ts';
import { composeFields } from '../rules.ts';

function compose(...rows: readonly PrintedRow[]): ExtractedFields {
  const layout = layOut(typeset(rows));
  return composeFields(documentTypeOf('contract'), layout, decideLocale(layout), []);
}

const contract = (...lines: readonly string[]): ExtractedFields =>
  compose(...lines.map((line): PrintedRow => [[40, line]]));

const cells = (caption: string, value: string): PrintedRow => [
  [40, caption],
  [240, value],
];

test('a table of particulars names the parties, several in one cell, and the days of the term', () => {
  const fields = compose(
    [[40, 'TENANCY AGREEMENT']],
    null,
    cells('Date of this Agreement', '24 August 2023'),
    null,
    cells('The Landlord', 'Mrs Zenobia Harpole'),
    [[240, 'of The Old Barn, Nether Lane, Sampleton SA1 1AA']],
    null,
    cells('Landlord’s Agent', 'Example Lettings Ltd, 6 Sample Street'),
    null,
    cells('The Tenant(s)', '(1) Mr Odo Quillfeather'),
    [[240, '(2) Miss Ysolde Marsh']],
    null,
    cells('The Term', 'A fixed term of 12 months from and including 2 September 2023 to and'),
    [[240, 'including 1 September 2024']],
  );
  assert.deepEqual(fields.parties?.value, ['Zenobia Harpole', 'Odo Quillfeather', 'Ysolde Marsh']);
  assert.equal(fields.effective_date?.value, '2023-09-02');
  assert.equal(fields.end_date?.value, '2024-09-01');
  assert.equal(fields.term?.value, '12 months');
});

test('a section names its party in a row of its own, and a caption of two lines its day', () => {
  const fields = compose(
    [[40, 'SECTION A – LANDLORD']],
    cells('Name:', 'Fergus Sample'),
    null,
    [[40, 'SECTION B – TENANT']],
    cells('Name:', 'Ciara Sample'),
    null,
    [
      [40, 'Date of'],
      [240, '1st October 2024'],
    ],
    [[40, 'commencement:']],
    null,
    cells('Date of expiry:', '30th September 2025'),
  );
  assert.deepEqual(fields.parties?.value, ['Fergus Sample', 'Ciara Sample']);
  assert.equal(fields.effective_date?.value, '2024-10-01');
  assert.equal(fields.end_date?.value, '2025-09-30');
});

test('a table for signatures names both sides and who signs for each', () => {
  const sides = (caption: string, left: string, right: string): PrintedRow => [
    [40, caption],
    [180, left],
    [380, right],
  ];
  const fields = compose(
    [[40, 'MUTUAL NON-DISCLOSURE AGREEMENT']],
    [[40, 'Governing Law: Delaware']],
    null,
    sides('Signature', 'J. Doe', 'R. Roe'),
    sides('Print Name', 'Jane Doe', 'Richard Roe'),
    sides('Title', 'General Counsel', 'Managing Partner'),
    sides('Company', 'Example Robotics, Inc.', 'Beispiel Optik GmbH'),
  );
  assert.deepEqual(fields.parties?.value, ['Example Robotics, Inc.', 'Beispiel Optik GmbH']);
  assert.deepEqual(fields.signatories?.value, ['Jane Doe', 'Richard Roe']);
  assert.equal(fields.governing_law?.value, 'Delaware');
});

test('a letter of engagement is between the firm below its closing words and whom it addresses', () => {
  const fields = contract(
    'October 21, 2024',
    'Mr. John Doe, President',
    'Example Marine Supply, Inc.',
    'Dear Mr. Doe:',
    'We are pleased to confirm our understanding of the services that we are to provide.',
    'Our fee for these services will be $14,500, plus costs. Consulting is billed at $285 per hour.',
    'Very truly yours,',
    'Jane Roe, CPA',
    'Roe & Sample Associates, P.C.',
    'By: ______J. Doe______',
    'John Doe',
  );
  assert.deepEqual(fields.parties?.value, ['Example Marine Supply, Inc.', 'Roe & Sample Associates, P.C.']);
  assert.deepEqual(fields.signatories?.value, ['Jane Roe', 'John Doe']);
  assert.equal(fields.total_amount?.value, 14_500);
});

test('the day on which a contract begins counts before that of its signature, and what else begins does not', () => {
  const fields = contract(
    'THIS AGREEMENT is made on April 22, 2024 and shall become effective on May 6, 2024.',
    'Borrower shall pay sixty installments beginning July 15, 2024.',
    'The balance is due in full on June 15, 2027 (the “Maturity Date”).',
  );
  assert.equal(fields.effective_date?.value, '2024-05-06');
  assert.equal(fields.end_date?.value, '2027-06-15');
  const lease = contract(
    'This lease is made on June 1, 2021. The term of this lease is twelve months, to begin on July 1, 2021 and end on June 30,',
    '2022. Tenant shall pay a total rent of $23,100.00 for the term, in installments of $1,925.00.',
  );
  assert.deepEqual(
    [lease.effective_date?.value, lease.end_date?.value, lease.total_amount?.value],
    ['2021-07-01', '2022-06-30', 23_100],
  );
  const loan = contract(
    'Le présent contrat prend effet le 4 mars 2024 et se terminera le 30 septembre 2024.',
    'Le Client versera la somme forfaitaire de 26 400 € HT.',
  );
  assert.deepEqual(
    [loan.effective_date?.value, loan.end_date?.value, loan.total_amount?.value],
    ['2024-03-04', '2024-09-30', 26_400],
  );
});

test('an opening clause ends where the contract begins, and its second party may stand behind a full stop', () => {
  assert.deepEqual(
    contract(
      'Arbeitsvertrag zwischen Muster Spedition GmbH & Co. KG, Am Kai 44, 20457 Hamburg – nachfolgend „Arbeitgeber“ –',
      'und Frau Jana Muster – nachfolgend „Arbeitnehmerin“ – wird folgender Vertrag geschlossen:',
      '§ 1 Beginn und Tätigkeit Das Arbeitsverhältnis beginnt am 01.04.2024.',
    ).parties?.value,
    ['Muster Spedition GmbH & Co. KG', 'Jana Muster'],
  );
  assert.deepEqual(
    contract(
      'REUNIDOS De una parte, Dña. Ana Ejemplo Montiel, con domicilio en Valencia, en adelante la ARRENDADORA.',
      'De otra parte, D. Luis Ejemplo Lasa, en adelante el ARRENDATARIO.',
    ).parties?.value,
    ['Ana Ejemplo Montiel', 'Luis Ejemplo Lasa'],
  );
  assert.deepEqual(
    contract('between: Example Cosmetics S.p.A.,a company of Italy (the “Supplier”); and Sample Beauty Ltd (“Buyer”).')
      .parties?.value,
    ['Example Cosmetics S.p.A.', 'Sample Beauty Ltd'],
  );
});

test('names stand in brackets below a role, behind a typed signature and below whom they sign for', () => {
  const fields = compose(
    [[40, 'VERTRAG']],
    [
      [40, 'Arbeitgeber'],
      [320, 'Arbeitnehmerin'],
    ],
    [
      [40, '(Holger Muster)'],
      [320, '(Jana Beispiel)'],
    ],
    null,
    [[40, '/s/ Jane Doe']],
    null,
    [[40, 'Pour le Prestataire']],
    [[40, 'Solène Exemple']],
  );
  assert.deepEqual(fields.signatories?.value, ['Holger Muster', 'Jana Beispiel', 'Jane Doe', 'Solène Exemple']);
});

test('two names that are each given a short name are the parties, and numbered ones as well', () => {
  assert.deepEqual(
    contract(
      'RENTAL AGREEMENT',
      'Date November 2, 2024 Example Holdings LP (“Housing Provider”) and Ondine Sample (“Tenant”) agree as follows:',
    ).parties?.value,
    ['Example Holdings LP', 'Ondine Sample'],
  );
  const { parties, signatories } = contract(
    'Parties 1.EXAMPLE MARINE ENERGY LIMITED (SC448120),Harbour House,Stromness (the “Company”)',
    '2.DR AOIFE SAMPLE,14 Marchmont Crescent,Edinburgh (the “Consultant”)',
    'The Consultant',
    'Aoife Sample',
  );
  assert.deepEqual(parties?.value, ['EXAMPLE MARINE ENERGY LIMITED', 'DR AOIFE SAMPLE']);
  assert.deepEqual(signatories?.value, ['Aoife Sample']);
});

test('a letterhead’s logo is no title, and nobody signs as an initial of themselves', () => {
  const fields = contract(
    'SAMPLE ANALYTICS',
    'EMPLOYMENT AGREEMENT',
    'This agreement is between Sample Analytics Inc. (“Company”) and Desmond Sample (“Employee”).',
    'Printed: Desmond Sample',
  );
  assert.equal(fields.title?.value, 'EMPLOYMENT AGREEMENT');
  assert.deepEqual(fields.signatories?.value, ['Desmond Sample']);
});

test('whoever signs under seal or by hand is named once, in full', () => {
  const fields = compose(
    [[40, 'SERVICE AGREEMENT']],
    [[40, 'By: ______________________ (SEAL)']],
    [[40, 'Beatrix Sample, Authorized Signatory']],
    null,
    [
      [40, 'By: L.Example'],
      [320, 'By: Owen S.'],
    ],
    [
      [40, 'Name: Lydia Example'],
      [320, 'Name: Owen Sarkis'],
    ],
  );
  assert.deepEqual(fields.signatories?.value, ['Beatrix Sample', 'Lydia Example', 'Owen Sarkis']);
});

test('a professional company keeps its form, and a term’s caption may take two lines', () => {
  const fields = compose(
    [[40, 'Software as a Service Agreement']],
    null,
    [
      [40, 'Provider'],
      [140, 'Sample Data Co.'],
      [320, 'Customer'],
      [420, 'Example Dental Group,PLLC'],
    ],
    null,
    [
      [40, 'Subscription'],
      [140, '24 months'],
    ],
    [[40, 'Term']],
  );
  assert.deepEqual(fields.parties?.value, ['Sample Data Co.', 'Example Dental Group,PLLC']);
  assert.equal(fields.term?.value, '24 months');
});

test('parties may stand in the middle of the page, and before them their form', () => {
  const fields = contract(
    'INDEPENDENT CONTRACTOR AGREEMENT',
    'THIS AGREEMENT made this 8th day of January, 2024.',
    'BETWEEN:',
    'EXAMPLE & FINCH PUBLISHING INC.',
    'of 480 Queen Street West, Toronto, Ontario M5V 2B2',
    '(the “Company”)',
    'OF THE FIRST PART',
    '- AND -',
    'TADEUSZ SAMPLE',
    'of 19 Roncesvalles Avenue, Toronto, Ontario M6R 2K3',
    '(the “Contractor”)',
    'This Agreement shall come into force with effect from 15 January 2024.',
    'Per: ___________________ (Seal)',
    'Isolde Sample, Publisher',
  );
  assert.deepEqual(fields.parties?.value, ['EXAMPLE & FINCH PUBLISHING INC.', 'TADEUSZ SAMPLE']);
  assert.equal(fields.effective_date?.value, '2024-01-15');
  assert.deepEqual(fields.signatories?.value, ['Tadeusz Sample', 'Isolde Sample']);
  const french = contract(
    'Entre les soussignés :',
    'La société SARL LES GLACIERS EXEMPLE, représentée par Monsieur Yves Exemple, gérant, d’une part,',
    'Et Madame Inès Exemple, née le 14 février 2001, d’autre part, Il a été convenu ce qui suit :',
    'Le présent contrat est conclu pour une durée déterminée du 3 juin 2024 au 31 août 2024.',
  );
  assert.deepEqual(french.parties?.value, ['SARL LES GLACIERS EXEMPLE', 'Inès Exemple']);
  assert.deepEqual([french.effective_date?.value, french.end_date?.value], ['2024-06-03', '2024-08-31']);
  const portuguese = contract(
    'O contrato tem início em 1 de março de 2024 e vigora pelo prazo de 12 meses, cessando em 28 de fevereiro de 2025.',
  );
  assert.deepEqual([portuguese.effective_date?.value, portuguese.end_date?.value], ['2024-03-01', '2025-02-28']);
});

test('a role is one by its word, no county is a company, and a signature may have its name behind it', () => {
  const fields = compose(
    [[40, 'SERVICES CONTRACT']],
    cells('Photographer', 'Lumen & Oak Photography'),
    null,
    cells('Client', 'Saoirse Sample'),
    null,
    cells('Venue', 'Example House, Kinsale, Co. Cork'),
    null,
    [[40, 'Signed (Client): ___________________ Saoirse Sample']],
  );
  assert.deepEqual(fields.parties?.value, ['Lumen & Oak Photography', 'Saoirse Sample']);
  assert.deepEqual(fields.signatories?.value, ['Saoirse Sample']);
});

test('both sides’ names stand below their captions side by side, and a contract of one day is of that', () => {
  const fields = compose(
    [[40, 'Kaufvertrag']],
    [
      [40, 'Verkaufer (privat)'],
      [320, 'Kaufer'],
    ],
    [
      [40, 'Name'],
      [140, 'Bernd Muster'],
      [320, 'Name'],
      [420, 'Nele Beispiel'],
    ],
    [[40, 'Erstzulassung 11.03.2018']],
    [[40, 'Celle, den 21.09.2024']],
  );
  assert.deepEqual(fields.parties?.value, ['Bernd Muster', 'Nele Beispiel']);
  assert.equal(fields.effective_date?.value, '2024-09-21');
});

test('a person acts for the company that is a party, and the sum in all is the one that is called so', () => {
  const spanish = contract(
    'CONTRATO DE PRESTACIÓN DE SERVICIOS',
    'REUNIDOS',
    'DE UNA PARTE, D. Ramiro Ejemplo Pardo, con DNI 26011442-W, en nombre y representación de ALMAZARA',
    'EJEMPLO, S.L., con CIF B23770114, en adelante EL CLIENTE.',
    'Y DE OTRA PARTE, Dña. Leonor Ejemplo Vega, con DNI 77340188-F, en adelante LA PROFESIONAL.',
    'El precio total asciende a 18.000,00 € más IVA, en doce mensualidades de 1.500,00 €.',
  );
  assert.deepEqual(spanish.parties?.value, ['ALMAZARA EJEMPLO, S.L.', 'Leonor Ejemplo Vega']);
  assert.equal(spanish.total_amount?.value, 18_000);
  const sale = contract(
    'This sublease shall commence on September 1, 2024 and end on May 31, 2025.',
    'The purchase price for the Shares is EUR 2,750,000. An amount of EUR 275,000 shall be paid into escrow.',
  );
  assert.deepEqual(
    [sale.effective_date?.value, sale.end_date?.value, sale.total_amount?.value],
    ['2024-09-01', '2025-05-31', 2_750_000],
  );
});

test('a member is a party, and a Norwegian company is nobody who signs', () => {
  const fields = compose(
    [[40, 'MEMBERSHIP AGREEMENT']],
    cells('Member name', 'Cassidy Sample'),
    null,
    [[40, 'This agreement is between Example Fitness LLC (“Club”) and the member named above.']],
    [[40, 'for and on behalf of']],
    [[40, 'Eksempel Holding AS']],
    [[40, '_________________________']],
    [[40, 'Name: Ingrid Sample']],
  );
  assert.deepEqual(fields.parties?.value, ['Cassidy Sample', 'Example Fitness LLC']);
  assert.deepEqual(fields.signatories?.value, ['Cassidy Sample', 'Ingrid Sample']);
});

test('each side may have a block of particulars, with its name’s own caption, and names stand over their captions', () => {
  const fields = compose(
    [[40, 'CONFIDENTIALITY AGREEMENT']],
    cells('Agreement date', '17 February 2025'),
    null,
    [
      [40, 'Party A'],
      [140, 'Name'],
      [240, 'Example Analytics Pty Ltd'],
    ],
    null,
    [
      [40, 'Party B'],
      [140, 'Name'],
      [240, 'Sample Robotics Limited'],
    ],
    null,
    cells('Confidentiality period', 'Two (2) years from the Agreement date'),
    null,
    cells('Governing law', 'New South Wales, Australia'),
    null,
    [[40, 'Annika Sample']],
    [[40, '______________________']],
    [[40, 'Name (print)']],
  );
  assert.deepEqual(fields.parties?.value, ['Example Analytics Pty Ltd', 'Sample Robotics Limited']);
  assert.equal(fields.term?.value, '2 years');
  assert.equal(fields.governing_law?.value, 'New South Wales, Australia');
  assert.deepEqual(fields.signatories?.value, ['Annika Sample']);
});

test('boxes have captions over their values, and a role over a signature names nobody else', () => {
  const fields = compose(
    [[40, 'CONTRACTOR AGREEMENT']],
    null,
    [
      [40, 'CLIENT'],
      [300, 'CONTRACTOR (FULL LEGAL NAME)'],
    ],
    [
      [40, 'Example Interiors Inc.'],
      [300, 'Marcus T. Sample'],
    ],
    null,
    [
      [40, 'START DATE'],
      [300, 'FIXED FEE (CAD)'],
    ],
    [
      [40, 'January 20, 2025'],
      [300, '$22,500.00'],
    ],
    null,
    [[40, 'The fixed fee is paid in three instalments of $7,500.00 upon delivery.']],
    null,
    [
      [40, 'CLIENT'],
      [300, 'CONTRACTOR'],
    ],
    [
      [40, 'Elise Sample'],
      [300, 'Marcus Sample'],
    ],
    [
      [40, 'Print name: Elise Sample'],
      [300, 'Print name: Marcus T. Sample'],
    ],
  );
  assert.deepEqual(fields.parties?.value, ['Example Interiors Inc.', 'Marcus T. Sample']);
  assert.equal(fields.total_amount?.value, 22_500);
  assert.deepEqual([fields.signatories?.value].flat().sort(), ['Elise Sample', 'Marcus T. Sample']);
});

test('a title goes on behind a word that joins, and a day that was scheduled is another agreement’s', () => {
  const fields = contract(
    'SECOND AMENDMENT TO',
    'MASTER SUPPLY AGREEMENT',
    'This Amendment is made effective as of May 1, 2025 by and among Example Foods, Inc. (“Buyer”) and Sample',
    'Packaging, LLC (“Supplier”). The Agreement is scheduled to expire on April 30, 2025.',
    'This Agreement shall continue in full force and effect until April 30, 2028.',
    '2. Term. Thirty-six (36) months, commencing on the date above.',
  );
  assert.equal(fields.title?.value, 'SECOND AMENDMENT TO MASTER SUPPLY AGREEMENT');
  assert.equal(fields.end_date?.value, '2028-04-30');
  assert.equal(fields.term?.value, '36 months');
});

test('below initials that are signed stands the whole name', () => {
  const fields = contract(
    'CONTRACT OF EMPLOYMENT',
    'Signed (for the Company): H. Sample',
    'Harriet Sample, Head of People',
    'Signed (employee): O T Muster',
    'Owen Tudor Muster',
  );
  assert.deepEqual(fields.signatories?.value, ['Harriet Sample', 'Owen Tudor Muster']);
});

test('a German lease has its parties in blocks with their addresses, and their roles between dashes', () => {
  const { parties } = contract(
    'Mietvertrag',
    'Zwischen',
    'Frau Gerlinde Muster',
    'Kastanienweg 7, 24937 Flensburg',
    '– Vermieterin –',
    'und',
    'Herrn Jonas Beispiel, geb. 12.08.1991, und',
    'Frau Miriam Beispiel, geb. 03.02.1993,',
    '– Mieter –',
    'wird folgender Mietvertrag geschlossen:',
  );
  assert.deepEqual(parties?.value, ['Gerlinde Muster', 'Jonas Beispiel', 'Miriam Beispiel']);
  assert.ok((parties?.confidence ?? 0) > 60);
});

test('a term may be of six months in other languages', () => {
  const { term } = contract(
    'CONTRAT',
    'Le contrat est conclu pour une durée de six (6) mois à compter du 1er février 2025.',
  );
  assert.equal(term?.value, 'six (6) mois');
});

test('a term, a law and a title are read however they are put', () => {
  const { term } = contract(
    'CONSULTING AGREEMENT',
    'This Agreement commences on the Effective Date and shall remain in effect for eighteen (18) months unless ended.',
    'Obligations under this section survive for five (5) years.',
  );
  assert.equal(term?.value, '18 months');
  const { term: leased, governing_law: law } = contract(
    'EQUIPMENT LEASE AGREEMENT',
    'Lessor leases to Lessee the equipment above for the term of 48 months beginning on September 9, 2024.',
    'This Lease is governed by the laws of the State of lowa.',
  );
  assert.deepEqual([leased?.value, law?.value], ['48 months', 'State of Iowa']);
  const amended = contract(
    'Amendment No. 3',
    'to',
    'Software License Agreement',
    'This Amendment amends the Software License Agreement by and between Example Imaging Corp. ("Licensor") and the',
    'County of Sample Springs ("County").',
    'By ______________________',
    'Name Patrice Muster',
  );
  assert.equal(amended.title?.value, 'Amendment No. 3 to Software License Agreement');
  assert.deepEqual(amended.parties?.value, ['Example Imaging Corp.', 'County of Sample Springs']);
  assert.deepEqual(amended.signatories?.value, ['Patrice Muster']);
  const tenancy = compose([[40, 'TENANCY AGREEMENT']], cells('TERM', 'A term of 12 months from 8 March 2025'));
  assert.equal(tenancy.term?.value, '12 months');
});

test('a loan is of the sum that is lent, and who signs in a role is a party', () => {
  const fields = contract(
    'LOAN AGREEMENT',
    'Between',
    'Mrs Jane Doe, 8 Sample Way (the Lender)',
    'and',
    'Mr Richard Roe, 31 Sample Road (the Borrower)',
    'The Lender lends the Borrower the sum of £15,000, to be repaid by 60 monthly payments of £250.',
    'Lender: Jane Doe',
    'Borrower: Richard Roe',
  );
  assert.equal(fields.total_amount?.value, 15_000);
  assert.deepEqual(fields.signatories?.value, ['Jane Doe', 'Richard Roe']);
});

test('a memorandum has its parties above its first clause, and whole names below the initials', () => {
  const fields = contract(
    'Memorandum of Understanding',
    'between',
    'University of Sampleton',
    'and',
    'Institut Exemple de Roscanvel',
    '1. The parties wish to cooperate in the study of kelp forests.',
    '4. This memorandum takes effect on 15 January 2025 and remains in force for three years.',
    'Signed for the Institute',
    'F Muster',
    'Fergus Muster, Partner',
  );
  assert.deepEqual(fields.parties?.value, ['University of Sampleton', 'Institut Exemple de Roscanvel']);
  assert.equal(fields.term?.value, '3 years');
  assert.deepEqual(fields.signatories?.value, ['Fergus Muster']);
});

test('an Italian lease has an article and a form of address before each party', () => {
  const { parties } = contract(
    'CONTRATTO DI LOCAZIONE',
    'Tra la Sig.ra Carla Esempio, nata a Bergamo il 4/6/1960, residente in Bergamo, di seguito denominata "Locatore", e il',
    'Sig. Davide Modello, nato a Verona il 12/9/1988, di seguito denominato "Conduttore", si conviene quanto segue:',
  );
  assert.deepEqual(parties?.value, ['Carla Esempio', 'Davide Modello']);
});

test('a term may end at an hour of its last day', () => {
  const fields = contract(
    'LEASE',
    'The term of this Lease is twelve months, commencing on August 1, 2024 and ending at 11:59 p.m. on July 31, 2025.',
  );
  assert.equal(fields.effective_date?.value, '2024-08-01');
  assert.equal(fields.end_date?.value, '2025-07-31');
});

test('a sum may have its currency written out behind it', () => {
  const fields = contract(
    'CONTRAT DE PRESTATION DE SERVICES',
    'Le Client versera au Prestataire la somme forfaitaire de 18 600,00 euros HT, payable en trois fois.',
  );
  assert.equal(fields.total_amount?.value, 18600);
});

test('a cell may list several people, and behind a comma a name has its address', () => {
  const fields = compose(
    [[40, 'RESIDENTIAL PURCHASE AND SALE AGREEMENT']],
    cells('Seller(s)', 'Arthur Major, Denise Major'),
    cells('Buyer(s)', 'Mary M. Roe, Park Lane 5'),
    cells('Property', '88 Quarry Road, Sampleton, CT 06437'),
  );
  assert.deepEqual(fields.parties?.value, ['Arthur Major', 'Denise Major', 'Mary M. Roe']);
});

test('an amendment is of its own day, not that of the agreement which it amends', () => {
  const fields = contract(
    'FIRST AMENDMENT TO SERVICES AGREEMENT',
    'This First Amendment to that certain Services Agreement dated March 3, 2021 (the “Agreement”) is entered into as of',
    'October 14, 2022, by and between Example Therapeutics, Inc., a Delaware corporation (“Client”), and Sample Research,',
    'LLC, a Texas company (“Provider”). The total amount payable by Client for the Services shall not exceed One Million',
    'Two Hundred Eighty-Four Thousand Five Hundred Dollars ($1,284,500), of which $212,000 has been paid.',
  );
  assert.equal(fields.effective_date?.value, '2022-10-14');
  assert.equal(fields.total_amount?.value, 1_284_500);
});

test('a definition states the first day', () => {
  const fields = contract(
    'DISTRIBUTION AGREEMENT',
    'This agreement is dated 27 March 2023',
    '1.1 In this agreement: Business Day: a day other than a Sunday. Commencement Date: 1 April 2023. Year: 12 months.',
  );
  assert.equal(fields.effective_date?.value, '2023-04-01');
});

test('a French lease numbers its particulars, and several are one side', () => {
  const fields = contract(
    'CONTRAT DE LOCATION',
    'Soumis à la loi du 6 juillet 1989.',
    'Le présent contrat est conclu entre les soussignés :',
    '– Le bailleur : Mme Gisèle Maurin, domiciliée 6 allée des Exemples, 69130 Écully, ci-après « le bailleur » ;',
    '– Les locataires : M. Yanis Benhamou et Mme Clara Lestrade, désignés ci-après « le locataire ».',
    "A. Date de prise d'effet du contrat : 1er septembre 2022",
    'B. Durée du contrat : 3 ans',
  );
  assert.deepEqual(fields.parties?.value, ['Gisèle Maurin', 'Yanis Benhamou', 'Clara Lestrade']);
  assert.equal(fields.effective_date?.value, '2022-09-01');
  assert.equal(fields.term?.value, '3 ans');
});

test('a form of sale has both sides in boxes, surnames first, who sign with initials', () => {
  const pair = (left: string, right: string): PrintedRow => [
    [40, left],
    [320, right],
  ];
  const fields = compose(
    [[40, 'Kaufvertrag über ein gebrauchtes Kraftfahrzeug']],
    pair('Verkäufer (privat)', 'Käufer'),
    pair('Name, Vorname', 'Name, Vorname'),
    pair('Muster, Marlies', 'Beispiel, Ibrahim'),
    pair('Straße, Hausnummer', 'Straße, Hausnummer'),
    pair('Am Hang 3', 'Sampleweg 118'),
    null,
    pair('M. Muster', 'Ibrahim Beispiel'),
    pair('Unterschrift des Verkäufers', 'Unterschrift des Käufers'),
  );
  assert.deepEqual(fields.parties?.value, ['Marlies Muster', 'Ibrahim Beispiel']);
  assert.deepEqual(fields.signatories?.value, ['Marlies Muster', 'Ibrahim Beispiel']);
});

test('a Spanish lease that was read without marks and blanks has its sides, its first day and its term', () => {
  const fields = contract(
    'CONTRATO DE ARRENDAMIENTO DE VIVIENDA',
    'REUNIDOS',
    'De una parte,Dna.Remedios Muestra Pons,mayor de edad,con DNI 21447182K y domicilio en C/',
    'Bailen 18,03001 Alicante,en adelante LA ARRENDADORA.',
    'Y de otra parte,D.Ivan Ejemplo Marques,mayor de edad,con DNI 48330917T,en adelante EL ARRENDATARIO.',
    'SEGUNDA.Duracion.El presente contrato tendra una duracion de UN ANO,a contar desde el dia 1',
    'de octubre de 2023,prorrogable.',
  );
  assert.deepEqual(fields.parties?.value, ['Remedios Muestra Pons', 'Ivan Ejemplo Marques']);
  assert.deepEqual([fields.effective_date?.value, fields.term?.value], ['2023-10-01', 'UN ANO']);
});

test('who signs stands below `By:` though the rule behind it was lost', () => {
  const fields = compose(
    [[40, 'LEASE AMENDMENT']],
    [[40, 'by and between Sample Partners, LP (“Landlord”) and Example Pediatrics, P.C. (“Tenant”).']],
    null,
    [
      [40, 'By:'],
      [320, 'By:'],
    ],
    [
      [40, 'Warren J.Klopfer, General Partner'],
      [320, 'Meera Subramaniam,M.D.,President'],
    ],
  );
  assert.deepEqual(fields.signatories?.value, ['Warren J.Klopfer', 'Meera Subramaniam']);
});

test('a German contract ends with the end of a day, and who signs stands over the firm', () => {
  const fields = contract(
    'Rahmenvertrag über Dienstleistungen',
    'zwischen Beispiel Logistik AG, Überseetor 14, 28217 Bremen – nachfolgend „Auftraggeber“ –',
    'und Muster Systemhaus GmbH, Hanauer Landstraße 190, 60314 Frankfurt – nachfolgend „Auftragnehmer“ –',
    'Rechnungen sind innerhalb von 30 Tagen fällig.',
    '§ 3 Laufzeit und Kündigung',
    'Dieser Vertrag tritt am 01.01.2023 in Kraft und endet mit Ablauf des 31.12.2024, ohne dass es einer Kündigung bedarf.',
    'Es gilt das Recht der Bundesrepublik Deutschland.',
    'Bremen, den 12.12.2022',
    'Antje Muster',
    'Beispiel Logistik AG',
    'Frankfurt am Main, den 15.12.2022',
    'Cem Beispiel',
    'Muster Systemhaus GmbH',
  );
  assert.equal(fields.end_date?.value, '2024-12-31');
  assert.deepEqual(fields.signatories?.value, ['Antje Muster', 'Cem Beispiel']);
});

test('an amendment may define again the day on which a loan is due', () => {
  const fields = contract(
    'SECOND AMENDMENT TO LOAN AGREEMENT',
    'This Amendment is made this 28th day of June, 2019, by and between EXAMPLE BANK (“Bank”) and SAMPLE, INC. (“Borrower”).',
    '2.1 The definition is replaced with: “Revolving Line Maturity Date” is June 30, 2021.',
  );
  assert.equal(fields.end_date?.value, '2021-06-30');
});

test('a sign for `and` may have lost the blank behind it', () => {
  const fields = contract(
    'CONTRACTOR AGREEMENT',
    'This Agreement is entered into as of March 15, 2023 by and between Marrow &Finch Example LLC, a Georgia limited',
    'liability company (“Company”), and Tobias Sample, an individual residing in Decatur (“Contractor”).',
  );
  assert.deepEqual(fields.parties?.value, ['Marrow &Finch Example LLC', 'Tobias Sample']);
});

test('the days and sums of other agreements and of months are not the contract’s', () => {
  const fields = extractFromWords(
    typeset(
      [
        'CONSULTING AGREEMENT',
        'THIS CONSULTING AGREEMENT is made and entered into as of the 3rd day of March, 2003, by and between',
        'SAMPLE OPTICS CORPORATION, a Delaware corporation (the “Company”), and EXAMPLE ADVISORY GROUP, LLC (“Consultant”).',
        'WHEREAS, the Company previously entered into that certain Letter',
        'Agreement dated November 12, 2001 with Specimen Partners, Inc., which has expired;',
        '3. COMPENSATION. The Company shall pay Consultant a fee of $7,500 per',
        'month, for an aggregate of $135,000 over the term, payable in arrears.',
      ].map((line): PrintedRow => [[40, line]]),
    ),
    { docType: 'contract', fields: null },
  ).extraction.fields;
  assert.equal(fields.effective_date?.value, '2003-03-03');
  assert.equal(fields.total_amount?.value, 135_000);
});

test('a form has the last day behind the box that was checked', () => {
  const fields = contract(
    'CONTRACTOR AGREEMENT',
    '4. TERM. This Agreement shall begin on the Effective Date and end on: (check one)',
    '☒ - The date of October 31, 2024.',
    '☐ - Upon completion of the Services.',
  );
  assert.equal(fields.end_date?.value, '2024-10-31');
});

test('a contract holds from the day that its clause states, not from that of a title or of its making', () => {
  const fields = contract(
    'EMPLOYMENT CONTRACT BETWEEN SAMPLE SOLAR, INC. AND BOB EXAMPLE, DATED JULY 10, 2006',
    'THIS AGREEMENT is entered into this 2nd day of February, 2006 by and between Sample Solar, Inc. and Bob Example.',
  );
  assert.equal(fields.effective_date?.value, '2006-02-02');
  const earlier = contract(
    'NON-COMPETE AGREEMENT',
    'THIS AGREEMENT dated as of November 8, 2016, but effective as of July 14, 2016 (the “Effective Date”), by and between',
    'Sample World, Inc. (“Employer”) and Randall S. Example (“Employee”).',
  );
  assert.equal(earlier.effective_date?.value, '2016-07-14');
  const later = contract(
    'COVENANT NOT TO COMPETE',
    'DATE: October 17, 2019',
    'This Agreement is a condition of such advancement and is effective as of January 13, 2020.',
  );
  assert.equal(later.effective_date?.value, '2020-01-13');
});

test('a letter’s title is what it is about, and a long title goes on in the next line', () => {
  const letter = contract(
    '65 Sample Avenue, Lexington, MA 02421',
    'April 18, 2016',
    'Re: Offer of Employment',
    'Dear Nadia:',
    'On behalf of Sample Biologics, Inc. (the “Company”), I am pleased to offer you employment.',
  );
  assert.equal(letter.title?.value, 'Offer of Employment');
  const document = typeset([
    [[40, 'AGREEMENT FOR THE SUPPLY OF CLEANING']],
    [[40, 'SERVICES']],
    null,
    [
      [
        40,
        'This agreement shall commence on 1 April 2021 and, unless terminated earlier, shall continue for a period of',
      ],
    ],
    [[40, 'three years until 31 March 2024 when it shall terminate automatically without notice.']],
    [[40, 'The Supplier shall provide the Services to the Customer at the Premises.']],
  ]);
  const [page] = document.pages;
  const words = page!.words.map((word, index) =>
    index < 7 ? { ...word, box: { ...word.box, y0: word.box.y0 - 4 } } : word,
  );
  const layout = layOut({ ...document, pages: [{ ...page!, words }] });
  const fields = composeFields(documentTypeOf('contract'), layout, decideLocale(layout), []);
  assert.equal(fields.title?.value, 'AGREEMENT FOR THE SUPPLY OF CLEANING SERVICES');
  assert.equal(fields.term?.value, '3 years');
});

test('who signs stands over a role in brackets', () => {
  const pair = (left: string, right: string): PrintedRow => [
    [40, left],
    [320, right],
  ];
  const fields = compose(
    [[40, 'Arbeitsvertrag']],
    [[40, 'Zwischen der Muster Bäckerei GmbH, vertreten durch den Geschäftsführer, – nachfolgend „Arbeitgeber“ –']],
    [[40, 'und Frau Erika Beispiel, – nachfolgend „Arbeitnehmerin“ – wird folgender Vertrag geschlossen:']],
    [[40, 'Das Arbeitsverhältnis beginnt am 01.02.2023.']],
    null,
    pair('Holger Muster', 'Erika Beispiel'),
    pair('(Arbeitgeber)', '(Arbeitnehmerin)'),
  );
  assert.deepEqual(fields.signatories?.value, ['Holger Muster', 'Erika Beispiel']);
});

test('a party that an order form names above its address does not sign there', () => {
  const pair = (left: string, right: string): PrintedRow => [
    [40, left],
    [320, right],
  ];
  const fields = compose(
    [[40, 'ORDER FORM']],
    null,
    pair('Supplier', 'Customer'),
    pair('Sample Analytics Ltd', 'Northfield Academy Trust'),
    pair('20 Finsbury Street', '12 Church Road'),
    pair('London EC2Y 9AQ', 'Birmingham B31 2LB'),
    null,
    [[40, 'This Order Form is subject to the Master Terms.']],
    [[40, 'Fees are payable annually in advance.']],
    [[40, 'The subscription renews unless either party gives notice.']],
    [[40, 'Support is provided on working days.']],
    [[40, 'It is governed by the laws of England and Wales.']],
    pair('Name: Priya Sample', 'Name: Alan Example'),
  );
  assert.deepEqual(fields.signatories?.value, ['Priya Sample', 'Alan Example']);
});

test('an amendment is of the day on which it is made, and terms run from a day without a verb', () => {
  const amendment = contract(
    'SECOND AMENDMENT TO LEASE',
    'THIS SECOND AMENDMENT is made and entered into as of the 3rd day of December, 2012, by and between Sample, LLC and',
    'Example Corporation. The term is hereby extended, commencing on April 1, 2013 and expiring on March 31, 2018.',
  );
  assert.deepEqual([amendment.effective_date?.value, amendment.end_date?.value], ['2012-12-03', '2018-03-31']);
  const services = contract(
    'CONSULTANCY AGREEMENT',
    'The Company engages the Consultant to provide services from 3 October 2022 for a period of six months.',
  );
  assert.deepEqual([services.effective_date?.value, services.term?.value], ['2022-10-03', '6 months']);
  const italian = contract(
    'CONTRATTO DI LOCAZIONE',
    'Il contratto è stipulato per la durata di quattro anni, dal 01/03/2023 al 28/02/2027.',
  );
  assert.deepEqual([italian.effective_date?.value, italian.end_date?.value], ['2023-03-01', '2027-02-28']);
});

test('the general partner by which a partnership signs is nobody who signs', () => {
  const fields = contract(
    'This Assignment is by and between Example Partners, L.P. (“Assignor”) and Sample Gathering, LLC (“Assignee”).',
    'EXAMPLE PARTNERS, L.P.',
    'By: Example Hollow GP, LLC, its general partner',
    'Name: Kenneth Sample',
    'Title: President',
  );
  assert.deepEqual(fields.signatories?.value, ['Kenneth Sample']);
});

test('a term may be certain, of weeks, or of any number of months that a language has a word for', () => {
  const term = (...rows: readonly PrintedRow[]) => compose([[40, 'AGREEMENT']], null, ...rows).term?.value;
  assert.equal(term(cells('TERM', 'A term certain of 12 months from and including 1 August 2024')), '12 months');
  assert.equal(term([[40, 'Term of agreement: 52 weeks']]), '52 weeks');
  assert.equal(contract('O contrato tem a duração de seis meses, com início em 3 de junho.').term?.value, 'seis meses');
  assert.equal(
    contract('SEGUNDA.- El plazo de duración del contrato es de siete años, a contar desde el 1 de octubre.').term
      ?.value,
    'siete años',
  );
  assert.equal(
    contract('De overeenkomst wordt aangegaan voor de duur van zeven maanden.').term?.value,
    'zeven maanden',
  );
});

test('a contract ends by operation of law or has its end, and another agreement has a day of its own', () => {
  const dutch = contract(
    'Artikel 1. De werknemer treedt met ingang van 1 april 2024 in dienst.',
    'Artikel 2. De arbeidsovereenkomst eindigt van rechtswege op 31 oktober 2024.',
  );
  assert.equal(dutch.end_date?.value, '2024-10-31');
  const portuguese = contract(
    'O contrato de arrendamento é celebrado pelo prazo de 3 anos, com início no dia 1 de fevereiro de 2024 e termo no',
    'dia 31 de janeiro de 2027.',
  );
  assert.equal(portuguese.effective_date?.value, '2024-02-01');
  assert.equal(portuguese.end_date?.value, '2027-01-31');
  assert.equal(
    contract(
      'This Statement of Work is entered into pursuant to the Master Agreement dated March 4, 2018 between',
      'Sample Systems Ltd. and Example Software, Inc.',
    ).effective_date,
    undefined,
  );
});

test('the law may come first', () => {
  assert.equal(contract('3. Minnesota law shall govern this Agreement.').governing_law?.value, 'Minnesota');
});

test('a law is a country’s, in the words that a language has for it, not one on a subject', () => {
  const law = (...lines: readonly string[]) => contract(...lines).governing_law?.value;
  assert.equal(law('O presente Acordo é regulado pela lei portuguesa.'), 'lei portuguesa');
  assert.equal(law('Aplica-se a este contrato a legislação brasileira.'), 'legislação brasileira');
  assert.equal(
    law(
      'Institut Exemple, association régie par la loi de 1901, et Modèle SA.',
      'L’accord est régi par le droit français.',
    ),
    'droit français',
  );
  assert.equal(law('El arrendamiento se regirá por la Ley de Arrendamientos Urbanos.'), undefined);
  assert.equal(law('This Deed is governed by English law.'), 'English law');
});

test('a contract without a first day is of the day on which it is signed, not of a thing’s or a person’s', () => {
  const fields = extractFromWords(
    typeset(
      [
        'CONTRAT DE VENTE D’UN VÉHICULE ENTRE PARTICULIERS',
        'Le vendeur : M. Loïc Exemple, né le 4 mai 1981, 6 route de Crozon, 29160 Lanvéoc',
        'Véhicule : Modèle Un, 1ère mise en circulation 14/02/2015',
        'Fait à Lanvéoc, le 18 mai 2024 en deux exemplaires',
      ].map((line): PrintedRow => [[40, line]]),
    ),
    { docType: 'contract', fields: null },
  ).extraction.fields;
  assert.equal(fields.effective_date?.value, '2024-05-18');
});

test('a contract lasts from its first day to its last one', () => {
  const fields = contract('Art. 3 Durata: il contratto ha durata dal 1° gennaio 2024 al 31 dicembre 2024.');
  assert.equal(fields.effective_date?.value, '2024-01-01');
  assert.equal(fields.end_date?.value, '2024-12-31');
});

test('an agreement may be called by its initials, and who signs stand in brackets', () => {
  const fields = compose(
    [[40, 'This MSA begins on the Effective Date and continues for one (1) year, renewing automatically.']],
    null,
    [[40, 'Signed [by Oluwaseun Example]']],
    [[40, 'for and on behalf of']],
    [[40, 'Sample Robotics Limited']],
  );
  assert.equal(fields.term?.value, '1 year');
  assert.deepEqual(fields.signatories?.value, ['Oluwaseun Example']);
});

test('a sum in all has words for it in Portuguese, and noughts that were read as letters', () => {
  assert.equal(
    contract('A Cliente pagará à Prestadora o valor global de 16.200,00 €, em prestações de 900,00 € cada.')
      .total_amount?.value,
    16200,
  );
  assert.equal(
    contract('Company shall pay Contractor a flat fee of Eighteen Thousand Dollars ($18,0oo.00).').total_amount?.value,
    18000,
  );
});

test('a term may follow from what was said before', () => {
  assert.equal(contract('Art. 2 - Durata. La durata è pertanto di 24 mesi.').term?.value, '24 mesi');
});

test('an Italian term has its unit first, and its days behind it', () => {
  const lease = contract(
    'CONTRATTO DI LOCAZIONE',
    'Art. 1 - Durata. Il contratto è stipulato per la durata di anni 4, dal 01/11/2024 al 31/10/2028.',
  );
  assert.deepEqual(
    [lease.term?.value, lease.effective_date?.value, lease.end_date?.value],
    ['anni 4', '2024-11-01', '2028-10-31'],
  );
});

test('a deposit is no total in a heading either, and a letter says which day will be the first', () => {
  const lease = extractFromWords(
    typeset([
      [[40, 'RESIDENTIAL LEASE']],
      [[40, '2. Rent. Tenant agrees to pay $1,375.00 per month due on the 1st day of each month.']],
      [[40, '3. Security Deposit. $1,375.00']],
    ]),
    { docType: 'contract', fields: null },
  ).extraction.fields;
  assert.equal(lease.total_amount, undefined);
  assert.equal(
    contract('February 20, 2025', 'Dear Amara,', 'Your start date will be March 17, 2025.').effective_date?.value,
    '2025-03-17',
  );
});

test('an amendment is of its own day, and Spanish employment begins in its form’s words', () => {
  assert.equal(
    contract(
      'FIRST AMENDMENT TO MASTER SERVICES AGREEMENT',
      'This First Amendment (this "Amendment") to the Master Services Agreement dated March 1, 2023 is entered into',
      'effective as of April 15, 2025, by and between Sample Analytics Corp. ("Vendor") and Example Hospital ("Customer").',
    ).effective_date?.value,
    '2025-04-15',
  );
  assert.equal(
    contract(
      'TERCERA: La duración del presente contrato será INDEFINIDA, iniciándose la relación laboral en fecha 10/03/2025',
      'y se establece un período de prueba de dos meses.',
    ).effective_date?.value,
    '2025-03-10',
  );
});

test('what is paid by the month is no total, and employment begins on its day', () => {
  const lease = extractFromWords(
    typeset([
      [[40, 'Mietvertrag über Wohnraum']],
      [[40, 'Zwischen Frau Gerda Muster als Vermieterin und Herrn Pawel Beispiel als Mieter']],
      [[40, '§ 3 Miete. Die monatliche Kaltmiete beträgt 780,00 €.']],
    ]),
    { docType: 'contract', fields: null },
  ).extraction.fields;
  assert.equal(lease.total_amount, undefined);
  assert.equal(
    contract('Le comunichiamo la Sua assunzione a decorrere dal 7 aprile 2025 con la qualifica di impiegata.')
      .effective_date?.value,
    '2025-04-07',
  );
});

test('a contract without a last day holds for an open term, in words or with its months spelt in brackets', () => {
  for (const [clause, term] of [
    ['Das Mietverhältnis beginnt am 01.04.2025 und läuft auf unbestimmte Zeit.', 'unbestimmte Zeit'],
    ['Le présent contrat est conclu pour une durée indéterminée à compter du 2 septembre 2024.', 'durée indéterminée'],
    ['La duración del presente contrato será INDEFINIDA.', 'indefinida'],
    ['Il rapporto di lavoro è a tempo indeterminato.', 'tempo indeterminato'],
    ['The tenancy shall be for a period of 11 (eleven) months commencing from 01.06.2024.', '11 months'],
  ] as const)
    assert.equal(contract('CONTRACT', clause).term?.value, term, clause);
  const limited = contract('Contract', 'Das Mietverhältnis endet am 31.03.2026 und nicht auf unbestimmte Zeit.');
  assert.equal(limited.term, undefined);
});

test('a law may be located in the state that has it', () => {
  const { governing_law } = contract(
    'LEASE AGREEMENT',
    'This Agreement is to be governed under the laws located in the State of Idaho.',
  );
  assert.equal(governing_law?.value, 'State of Idaho');
});

test('the names of one side sign before its role in brackets', () => {
  const { signatories } = contract(
    'MIETVERTRAG',
    'Zwischen',
    'Herrn Traugott Eschenbach, Lindenallee 12, 99423 Weimar',
    '– nachstehend Vermieter genannt –',
    'und',
    'Frau Leonie Muster und Herrn Jannik Beispiel, Erfurter Str. 80, 99423 Weimar',
    '– nachstehend Mieter genannt –',
    'Traugott Eschenbach (Vermieter)',
    'Leonie Muster, Jannik Beispiel (Mieter)',
  );
  assert.deepEqual(signatories?.value, ['Traugott Eschenbach', 'Leonie Muster', 'Jannik Beispiel']);
});

test('the names at one side’s caption are not all parties', () => {
  const head = 'This Agreement is made this October 4, 2024 under the following terms:';
  assert.equal(contract('LEASE AGREEMENT', head, 'Tenant(s): John Doe and Jane Q. Public').parties, undefined);
});

test('a form with blanks filled in states its term, and the hour at which it ends', () => {
  const { term, effective_date, end_date } = contract(
    'RESIDENTIAL LEASE AGREEMENT',
    'Landlord leases the Premises to Tenant for a term of one (1) year , such term beginning on July 15,',
    '2023 , and ending at 12 o’clock midnight on July 14, 2024 .',
  );
  assert.equal(term?.value, '1 year');
  assert.equal(effective_date?.value, '2023-07-15');
  assert.equal(end_date?.value, '2024-07-14');
});

test('a name is printed behind the signature in its line', () => {
  const { signatories } = contract(
    'LEASE AGREEMENT',
    'This Agreement is made between Example Rentals, LLC (Landlord) and Kavita Muster (Tenant).',
    'Sign: B Tull Print: Bernard Tull, Manager',
    'Sign: K Muster Print: Kavita Muster',
  );
  assert.deepEqual(signatories?.value, ['Bernard Tull', 'Kavita Muster']);
});

test('a company above the line of who signs for it signs nothing', () => {
  const { signatories } = contract(
    'EMPLOYMENT AGREEMENT',
    'Example Ridge Robotics, Inc. (the “Company”) is pleased to offer employment to Imani Muster.',
    'Very truly yours,',
    'EXAMPLE RIDGE ROBOTICS, INC.',
    'By: Paul Beispiel',
    'Name: Paul Beispiel',
  );
  assert.deepEqual(signatories?.value, ['Paul Beispiel']);
});
