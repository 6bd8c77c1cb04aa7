import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExtractedFields, JsonValue } from '@millrace/document-model';
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

const parties = (...lines: readonly string[]): JsonValue | undefined => contract(...lines).parties?.value;

test('the opening clause names the parties, whatever else it names of them', () => {
  assert.deepEqual(
    parties(
      'LEASE',
      'This Lease is made as of May 4, 2021 by and between Harbour & Quay Estates, Inc., a Delaware',
      'corporation, its subsidiaries and affiliates including Quay Parking, LLC (collectively the',
      '“Landlord”), and Mary Major, an individual residing in Ohio (“Tenant”). Landlord and Tenant agree:',
    ),
    ['Harbour & Quay Estates, Inc.', 'Mary Major'],
  );
  assert.deepEqual(
    parties(
      'KAUFVERTRAG',
      'zwischen Nordhafen Technik GmbH & Co. KG, Hafenstraße 3, 20457 Hamburg (nachfolgend „Verkäufer“)',
      'und Müller Anlagenbau AG, Ringweg 8, 80331 München (nachfolgend „Käufer“)',
    ),
    ['Nordhafen Technik GmbH & Co. KG', 'Müller Anlagenbau AG'],
  );
});

test('more than two parties are named in one clause', () => {
  assert.deepEqual(
    parties(
      'ESCROW AGREEMENT',
      'THIS AGREEMENT is entered into by and among (i) Northgate Mills Corporation (“Northgate”), (ii) Eastgate',
      'Limited, an English company (“Eastgate”), and (iii) Sample Trust Company (the “Escrow Agent”).',
    ),
    ['Northgate Mills Corporation', 'Eastgate Limited', 'Sample Trust Company'],
  );
});

test('a form that leaves a party blank has the other one alone', () => {
  assert.deepEqual(
    parties(
      'CONFIDENTIALITY AGREEMENT',
      'This Agreement is made between Example Wire, Inc. (the “Employer”) and ____________ (“Employee”).',
      'Example Wire Holdings, Inc. (“Holdings”) is the parent of the Employer.',
    ),
    ['Example Wire, Inc.'],
  );
});

test('one name alone is not who agreed', () => {
  assert.equal(
    parties('POLICY ON CONFIDENTIAL MATTERS', 'Example Optics, Inc. (the “Company”) protects what it knows.'),
    undefined,
  );
});

test('a letter is between whom it addresses and whom it defines', () => {
  assert.deepEqual(
    parties(
      'March 16, 2020',
      'Westfield Capital, L.P.',
      '12 Main Street',
      'Springfield, IL 62701',
      'Ladies and Gentlemen:',
      'In connection with your interest in Example Optics, Inc. (together with its subsidiaries, the “Company”),',
      'you have requested information. The Company and its adviser, Sample Securities LLC, will furnish it.',
    ),
    ['Westfield Capital, L.P.', 'Example Optics, Inc.'],
  );
});

test('who signs as a role is a party that the clauses only call by it', () => {
  assert.deepEqual(
    parties(
      'As a condition of my employment with Example Foods, Inc. (the “Company”), I agree as follows:',
      '1. Confidentiality. I keep the affairs of the Company secret.',
      'EMPLOYEE: Jordan Avery',
      'Date: May 4, 2021',
    ),
    ['Example Foods, Inc.', 'Jordan Avery'],
  );
});

test('sentences, offices and roles are no parties', () => {
  assert.equal(
    parties(
      'POLICY',
      'In connection between Company and Employee, the Chief Executive Officer may deliver a notice.',
      'Purchaser and Seller will act in good faith.',
    ),
    undefined,
  );
});

test('the term is that of the agreement, not that of a duty which outlives it', () => {
  const { term } = contract(
    'SUPPLY AGREEMENT',
    'The duties of confidentiality shall survive the expiration of this Agreement for five (5) years.',
    'The term of this Agreement shall be eighteen (18) months, unless a party gives notice within thirty days.',
  );
  assert.equal(term?.value, '18 months');
});

test('a letter is of its own date, not of the agreement that it mentions', () => {
  const { effective_date: date } = contract(
    'November 8, 2016',
    'Jordan Avery',
    'Dear Jordan:',
    'This letter replaces your employment agreement dated September 2, 2005.',
  );
  assert.equal(date?.value, '2016-11-08');
});

test('governing law is the state beside the country', () => {
  const { governing_law: law } = contract(
    'SUPPLY AGREEMENT',
    'This Agreement is governed by the laws (other than the rules of conflict) of the United States and the State of Indiana.',
  );
  assert.equal(law?.value, 'State of Indiana');
});

test('who promises in the first person, or is named by a short name, is a party', () => {
  assert.deepEqual(
    parties(
      'CONFIDENTIAL INFORMATION AGREEMENT',
      'As a condition of my employment with Example Wire, Inc., its subsidiaries or assigns (the “Company”),',
      'I agree to the following. I shall keep secret what I learn.',
      'Date: 5/12/2009',
      '/s/ Mary K. Major',
      'Signature',
      'Mary K. Major',
      'Name of Employee (typed or printed)',
    ),
    ['Example Wire, Inc.', 'Mary K. Major'],
  );
  assert.deepEqual(
    parties(
      'CONSULTING AGREEMENT',
      'Example Wire, Inc., a Delaware corporation (“Example”), and Mary Major (“Major”), residing in Boston,',
      'mutually desire to enter into this agreement.',
    ),
    ['Example Wire, Inc.', 'Mary Major'],
  );
});

test('a company may have and in its name', () => {
  assert.deepEqual(
    parties(
      'PURCHASE AGREEMENT',
      'by and between Northgate Mills, Inc., a Delaware corporation (“Seller”), and Ella Stone and Company, an',
      'Indiana corporation (“Buyer”).',
    ),
    ['Northgate Mills, Inc.', 'Ella Stone and Company'],
  );
});

test('an agreement that ends on an anniversary lasts as many years', () => {
  const term = (...lines: readonly string[]) => contract('AGREEMENT', ...lines).term?.value;
  assert.equal(
    term(
      'This Agreement, and the obligations hereunder, shall terminate on the second anniversary of the date hereof.',
    ),
    '2 years',
  );
  assert.equal(
    term('9. Term. This NDA shall continue in effect until the first anniversary of the Effective Date.'),
    '1 year',
  );
  assert.equal(term('You will not solicit anybody until the second anniversary of the date hereof.'), undefined);
});

test('a party may be given its short name without a bracket', () => {
  assert.deepEqual(
    parties(
      'CONTRAT DE PRESTATION DE SERVICES',
      'Entre les soussignés : Beispiel Conseil, dont le siège social est situé 90, place du Marché, 38000 Grenoble,',
      'ci-après dénommée « le Client », et Exemple Optique, dont le siège social est situé 122 rue Haute,',
      'ci-après dénommée « le Prestataire »,',
    ),
    ['Beispiel Conseil', 'Exemple Optique'],
  );
});

test('a state’s law governs, whatever is said of conflicts or of the federation', () => {
  const law = (...lines: readonly string[]) => contract('AGREEMENT', ...lines).governing_law?.value;
  assert.equal(
    law(
      'This Agreement shall be construed in accordance with, the internal law, and not the law of conflicts, of the',
      'State of New York, without giving effect to any other law.',
    ),
    'State of New York',
  );
  assert.equal(
    law(
      'It is subject to the laws of the United States of America and is governed by the laws of the State of California.',
    ),
    'State of California',
  );
});

test('what outlasts an agreement is not how long it lasts', () => {
  const { term } = contract(
    'AGREEMENT',
    'The duties of this Agreement shall survive expiration of this Agreement and shall expire three (3) years from the',
    'date of disclosure of such information.',
  );
  assert.ok((term?.confidence ?? 0) < 70);
});

test('a form for people to sign has its company as the one party, and a person’s promise is made to one', () => {
  assert.deepEqual(
    parties(
      'CONFIDENTIALITY AGREEMENT',
      'As a condition of my employment with Marlow Systems, Inc., a Delaware corporation (the “Company”), I agree',
      'to the following terms.',
      'Name of employee:',
    ),
    ['Marlow Systems, Inc.'],
  );
  assert.deepEqual(
    parties(
      'Craig Ashdown',
      '226 Conway Hill Road',
      'Dear Mr. Ashdown:',
      'This letter sets out the terms of your resignation as an officer of Edgeworth Electric Co. and its affiliates.',
      'Agreed: /s/ Craig Ashdown',
    ),
    ['Craig Ashdown', 'Edgeworth Electric Co.'],
  );
  assert.equal(
    parties('AGREEMENT', 'Marlow Systems, Inc. (the “Company”) sells the goods below.', '/s/ Dana Hollis'),
    undefined,
  );
});

test('towns of addresses are no parties, and three that are each given a name are', () => {
  const { parties: three } = contract(
    'ESCROW AGREEMENT',
    'DATED 30 November 2022 BETWEEN',
    '(1) ORCHID HOLDINGS LTD, a company registered in England (No. 08811204) whose registered office is at 4 Quay',
    'Row, Bristol ("Buyer");',
    '(2) VALE TIMBER PLC, a company registered in England (No. 02210477) whose registered office is at 9 Mill Lane,',
    'Ludlow ("Seller"); and',
    '(3) MERCIA TRUSTEES LIMITED of 1 Guild Street, Birmingham ("Escrow Agent").',
  );
  assert.deepEqual(three?.value, ['ORCHID HOLDINGS LTD', 'VALE TIMBER PLC', 'MERCIA TRUSTEES LIMITED']);
  assert.ok((three?.confidence ?? 0) > 60);
  assert.deepEqual(
    parties(
      'MUTUAL NON-DISCLOSURE AGREEMENT',
      'This Agreement is made effective the 17th of March 2023, by and among:',
      'Tessellate Labs Corp. ("Tessellate"), having a place of business at 88 Varick Street, New York; and',
      'Quarry Point Capital LP ("Quarry Point"), having a place of business in Stamford, Connecticut.',
    ),
    ['Tessellate Labs Corp.', 'Quarry Point Capital LP'],
  );
});

test('an article stands before a German party’s name', () => {
  assert.deepEqual(
    parties(
      'Rahmenvertrag',
      'zwischen der Ostwind Logistik GmbH, Speicherstraße 4, 18055 Rostock',
      '- nachfolgend "Auftragnehmer" genannt -',
      'und der Bergmann & Söhne KG, Industriering 9, 59065 Hamm',
      '- nachfolgend "Auftraggeber" genannt -',
    ),
    ['Ostwind Logistik GmbH', 'Bergmann & Söhne KG'],
  );
});

test('parties and the term may stand at captions', () => {
  const rows: PrintedRow[] = [
    [[40, 'Order Form and Subscription Terms']],
    [
      [40, 'Supplier'],
      [160, 'Pinegrove Software Pty Ltd (ABN 44 118 220 917)'],
    ],
    [
      [40, 'Customer'],
      [160, 'Harcourt Shire Council'],
    ],
    [
      [40, 'Initial Term'],
      [160, '36 months'],
    ],
  ];
  const layout = layOut(typeset(rows));
  const fields = composeFields(documentTypeOf('contract'), layout, decideLocale(layout), []);
  assert.deepEqual(fields.parties?.value, ['Pinegrove Software Pty Ltd', 'Harcourt Shire Council']);
  assert.equal(fields.term?.value, '36 months');
});

test('a letter’s writer may have its own name above whom it addresses', () => {
  assert.deepEqual(
    parties(
      'Northlight Robotics, Inc.',
      '55 Hawthorne Street, San Francisco, CA 94105',
      'August 20, 2021',
      'Jane Doe',
      '480 Valencia Street, San Francisco, CA 94103',
      'Dear Jane:',
      'Northlight Robotics, Inc. (the "Company") is pleased to offer you the position of Staff Engineer.',
    ),
    ['Jane Doe', 'Northlight Robotics, Inc.'],
  );
});

test('a number at a line’s end is no part of the next party’s name', () => {
  assert.deepEqual(
    parties(
      'CONFIDENTIALITY AGREEMENT',
      'SafeNet, Inc., a Delaware corporation ("SafeNet"), with offices in Baltimore, Maryland 21017',
      'Datakey, Inc., a Minnesota corporation ("Datakey"), agree as follows.',
    ),
    ['SafeNet, Inc.', 'Datakey, Inc.'],
  );
});

test('two of three parties whose names begin alike are hardly sure', () => {
  const { parties: three } = contract(
    'This Agreement is between Acme Brands, Inc. ("Acme"), Acme Brands Lighting, Inc. ("Lighting") and',
    'Mary Major ("Executive"). The parties agree as follows.',
  );
  assert.ok((three?.confidence ?? 0) < 60);
});

test('parties may be numbered below a heading, and sign for a company', () => {
  const fields = contract(
    'THIS AGREEMENT is dated 12 March 2024',
    'PARTIES',
    '(1) EXAMPLE TESTING LIMITED incorporated and registered in England and Wales with company number 06918834',
    'whose registered office is at Unit 4 Hedgerow Park, Thetford IP24 3QS (the Client); and',
    '(2) DR JANE DOE of 31 Priory Lane, Ely CB7 4EU (the Consultant).',
    'Signed by Richard Roe for and on behalf of EXAMPLE TESTING LIMITED',
    'Signed by DR JANE DOE',
  );
  assert.deepEqual(fields.parties?.value, ['EXAMPLE TESTING LIMITED', 'DR JANE DOE']);
  assert.deepEqual(fields.signatories?.value, ['Richard Roe', 'Jane Doe']);
});

test('who signs stands below the line for it with an office, but no role does', () => {
  assert.deepEqual(
    contract(
      'SERVICE AGREEMENT',
      'By: ________________________',
      'Richard Roe, President',
      '___________________________',
      'Jane Doe',
      '___________________________',
      'Auftraggeber Auftragnehmerin',
    ).signatories?.value,
    ['Richard Roe', 'Jane Doe'],
  );
});

test('two people may be one side under one name, and none has a form of address', () => {
  const lease = contract(
    'LEASE AGREEMENT',
    'made this 8th day of July, 2024, between Example Rentals, LLC (“Landlord”), whose address is 1200 Lomas Blvd,',
    'Denver, Colorado 80202, and Deshawn Roe and Alina Roe (collectively, “Tenant”).',
  );
  assert.deepEqual(lease.parties?.value, ['Example Rentals, LLC', 'Deshawn Roe', 'Alina Roe']);
  assert.ok(lease.parties.confidence >= 70);
  assert.deepEqual(
    parties(
      'zwischen',
      'der Beispiel Optik GmbH, Am Glaswerk 3, 07745 Jena (nachfolgend „Auftraggeber“)',
      'und Frau Annika Muster, Ringweg 8, 80331 München (nachfolgend „Auftragnehmerin“)',
    ),
    ['Beispiel Optik GmbH', 'Annika Muster'],
  );
});

test('a captioned term may say from when, and Ireland’s law ends with its name', () => {
  const fields = compose(
    [
      [40, 'Initial Term'],
      [200, '36 months from the Effective Date'],
    ],
    [[40, 'This agreement shall be governed by and construed in accordance with the laws of Ireland and the parties']],
    [[40, 'submit to the jurisdiction of its courts.']],
  );
  assert.equal(fields.term?.value, '36 months');
  assert.equal(fields.governing_law?.value, 'Ireland');
});

test('a fee for being late or a rate is no total', () => {
  const { fields } = extractFromWords(
    typeset([
      [[40, 'LEASE AGREEMENT between Example Rentals, LLC and Jane Doe']],
      [[40, 'Tenant shall pay a late fee of $50.00 and rent of $1,375.00 per month.']],
    ]),
    { docType: 'contract', fields: null },
  ).extraction;
  assert.equal(fields.total_amount, undefined);
});

test('a name without its beginning is no party', () => {
  assert.deepEqual(
    parties(
      'CONFIDENTIALITY AGREEMENT',
      'by and between Example Products, Inc. (“Example”) and Northgate Capital Partners, L.P. (“Northgate”).',
    ),
    ['Example Products, Inc.', 'Northgate Capital Partners, L.P.'],
  );
  assert.equal(parties('I agree with', 'PARTNERS, L.P. as follows:'), undefined);
});

test('an agreement may commence and continue for a period, and a person signs above their name', () => {
  const fields = contract(
    'THIS AGREEMENT is made by and between Example Media, Inc. (“Client”) and JANE DOE (“Contractor”).',
    'This Agreement shall commence on the date first written above and continue for a period of six (6) months,',
    'unless terminated earlier.',
    'By: ____________',
    'Name: Richard Roe',
    'CONTRACTOR:',
    'Jane Doe',
  );
  assert.equal(fields.term?.value, '6 months');
  assert.deepEqual(fields.signatories?.value, ['Richard Roe', 'Jane Doe']);
});

test('the clause behind a cover page gives the roles, and a number behind a name is no part of it', () => {
  const { parties: three } = contract(
    'ASSET PURCHASE AGREEMENT',
    'by and among',
    'EXAMPLE RIDGE BREWING COMPANY, LLC,',
    'SAMPLE BEVERAGE GROUP, INC.',
    'and',
    'WYATT MUSTER',
    'Dated as of December 16, 2024',
    'TABLE OF CONTENTS',
    'This ASSET PURCHASE AGREEMENT is entered into by and among Example Ridge Brewing Company, LLC, a Colorado limited',
    'liability company ("Buyer"), Sample Beverage Group, Inc., a Colorado corporation ("Seller"), and Wyatt Muster, an',
    'individual resident of the State of Colorado ("Shareholder").',
  );
  assert.deepEqual(three?.value, ['Example Ridge Brewing Company, LLC', 'Sample Beverage Group, Inc.', 'Wyatt Muster']);
  assert.ok((three?.confidence ?? 0) > 60);
  const { parties: spanish } = contract(
    'CONTRATO DE ARRENDAMIENTO DE VIVIENDA',
    'REUNIDOS',
    'De una parte, como ARRENDADOR, Don Ramiro Ejemplo Olmedo, mayor de edad, con domicilio en calle Laurel 22.',
    'De otra parte, como ARRENDATARIA, Doña Irati Muestra Ruiz, mayor de edad, con domicilio en avenida de la Paz 5.',
  );
  assert.deepEqual(spanish?.value, ['Ramiro Ejemplo Olmedo', 'Irati Muestra Ruiz']);
  const numbered = compose(
    [[40, 'MASTER SERVICES AGREEMENT']],
    [
      [40, 'Supplier'],
      [200, 'Example Cloud Pty Limited ABN 71 448 220 918'],
    ],
    null,
    [
      [40, 'Customer'],
      [200, 'The Wattle Foundation ABN 20 118 774 003'],
    ],
    null,
    [[40, '______________________']],
    [[40, 'Chief Executive']],
    [[40, 'Harish Sample']],
  );
  assert.deepEqual(numbered.parties?.value, ['Example Cloud Pty Limited', 'The Wattle Foundation']);
  assert.deepEqual(numbered.signatories?.value, ['Harish Sample']);
});

test('a note is between who promises to pay and to whose order, whatever blanks were lost', () => {
  assert.deepEqual(
    parties(
      'PROMISSORY NOTE',
      'FOR VALUE RECEIVED,the undersigned,Richard T.Roe,an individual residing at 12 Sample Street (the',
      '“Borrower”),promises to pay to the order of Prairie Mills LLC, a Kansas limited liability company (the',
      '“Lender”), the principal sum of $40,000.00.',
      'BORROWER:',
      'Richard Roe',
      'Richard T. Roe',
    ),
    ['Richard T.Roe', 'Prairie Mills LLC'],
  );
});

test('a party signs by a name whose blanks were read there', () => {
  const fields = contract(
    'PROMISSORY NOTE',
    'For value received, Richard T.Roe promises to pay to the order of Prairie Mills LLC the sum of $400.00.',
    'Richard T. Roe',
  );
  assert.deepEqual(fields.signatories?.value, ['Richard T. Roe']);
});

test('an opening clause may caption its parties, and a law be that in a state', () => {
  const lines = [
    'PERSONAL LOAN AGREEMENT',
    'This Personal Loan Agreement (“Agreement”) is made this 10th day of February, 2023, by and between:',
    'Borrower:Richard Roe, with a mailing address of 44 Cedar Ave, Sampleton, NJ 07042 (“Borrower”), and',
    'Lender: Mary Major, with a mailing address of 310 Valley Rd, Sampleton, NJ 07013 (“Lender”).',
    'This Agreement shall be govemed under the laws in the State of New Jersey.',
  ];
  assert.deepEqual(parties(...lines), ['Richard Roe', 'Mary Major']);
  assert.equal(contract(...lines).governing_law?.value, 'State of New Jersey');
});

test('what the parties promise each other from its own day on is how long an agreement lasts', () => {
  const fields = contract(
    'THIS AGREEMENT is made by and between Example Robotics Limited and Sample Castings PLC.',
    'The undertakings in clauses 2 and 3 will continue in force for 3 years from the date of this Agreement.',
  );
  assert.equal(fields.term?.value, '3 years');
});

test('roles in brackets without quotes make several one side, and Asian forms belong to their names', () => {
  assert.deepEqual(
    parties(
      'This Lease is made by and between Sample Properties LLC (Landlord) and Andre Whitfield and Shanice Whitfield',
      '(collectively, "Tenant").',
    ),
    ['Sample Properties LLC', 'Andre Whitfield', 'Shanice Whitfield'],
  );
  assert.deepEqual(
    parties(
      'BETWEEN: (1) Sample Row Capital Pte. Ltd. (UEN 201544718K), a company incorporated in Singapore (the “Lender”); and',
      '(2) Example Aquatics Sdn. Bhd. (Company No. 1188204-T), a company incorporated in Malaysia (the “Borrower”).',
    ),
    ['Sample Row Capital Pte. Ltd.', 'Example Aquatics Sdn. Bhd.'],
  );
});

test('an Indian company is addressed as one', () => {
  assert.deepEqual(
    parties(
      'This Agreement is made BETWEEN M/s. Sample Hydraulics Private Limited, a company incorporated under the Companies',
      'Act, 1956, represented by its Managing Director Mr. R. Example (hereinafter referred to as the “Principal”) of the',
      'ONE PART; AND Example Machinery Trading LLC, a limited liability company (hereinafter the “Distributor”).',
    ),
    ['Sample Hydraulics Private Limited', 'Example Machinery Trading LLC'],
  );
});

test('parties may be called by their roles with no clause that names both', () => {
  assert.deepEqual(
    parties(
      'CONTRATTO DI LOCAZIONE AD USO ABITATIVO',
      'Con la presente scrittura privata la sig.ra Marinella Esempio, nata a Lucca il 04/06/1961, residente in Lucca, via',
      'del Fosso 88, di seguito denominata locatore, concede in locazione al sig. Dario Campione, nato a Napoli il',
      "19/11/1990, di seguito denominato conduttore, che accetta, l'unità immobiliare posta in Lucca.",
    ),
    ['Marinella Esempio', 'Dario Campione'],
  );
});

test('several on one side may be numbered, each with an address', () => {
  assert.deepEqual(
    parties(
      'Mietvertrag für Wohnräume',
      'Zwischen Herrn Rüdiger Beispiel, Tannenweg 8, 34117 Kassel – als Vermieter – und',
      '1. Frau Lena Muster, Friedrichstraße 20, 34117 Kassel',
      '2. Herrn Moritz Probe, Friedrichstraße 20, 34117 Kassel – als Mieter –',
      'wird folgender Mietvertrag geschlossen:',
    ),
    ['Rüdiger Beispiel', 'Lena Muster', 'Moritz Probe'],
  );
});

test('who acts for a company is no party, though marks were lost in reading', () => {
  assert.deepEqual(
    parties(
      'REUNIDOS',
      'De una parte, D. Tomas Ejemplo Gil, mayor de edad, con DNI 42188770K, en nombre y representacion de HOSTELERIA',
      'MUESTRA, S.L., con CIF B35447182 (en adelante, el CLIENTE).',
      'Y de otra parte, Dna. Irene Ejemplo Melian, mayor de edad, con DNI 44710338P (en adelante, la PRESTADORA).',
    ),
    ['HOSTELERIA MUESTRA, S.L.', 'Irene Ejemplo Melian'],
  );
});

test('Portuguese contracts call their parties by their order', () => {
  assert.deepEqual(
    parties(
      'ENTRE:',
      'PRIMEIRO OUTORGANTE: MOAGEM DO EXEMPLO, S.A., pessoa coletiva n.º 500 447 118, com sede na Rua da Azenha 40,',
      '4750-110 Barcelos, neste ato representada por Álvaro Modelo Pinto, na qualidade de administrador;',
      'E',
      'SEGUNDA OUTORGANTE: Beatriz Amostra Antunes, contribuinte n.º 221 884 710, residente na Travessa do Sol 7, Braga.',
    ),
    ['MOAGEM DO EXEMPLO, S.A.', 'Beatriz Amostra Antunes'],
  );
});

test('a caption with several on one side names more than the opening clause does', () => {
  assert.deepEqual(
    compose(
      [[40, 'ASSURED SHORTHOLD TENANCY AGREEMENT']],
      [
        [40, 'PARTIES'],
        [160, '1. THE LANDLORD:'],
      ],
      [[160, 'Sample Lettings Limited (Company No. 09177203)']],
      [[160, 'of 22 Marine Parade, Whitby YO21 3PR']],
      null,
      [[160, '2. THE TENANT(S):']],
      [[160, 'Mr Declan Example and Ms Yewande Muster']],
    ).parties?.value,
    ['Sample Lettings Limited', 'Declan Example', 'Yewande Muster'],
  );
});

test('people who are addressed as such are no affiliates, and the other side may have no word for it', () => {
  assert.deepEqual(
    parties(
      'REUNIDOS',
      'DE UNA PARTE, como ARRENDADORA, Dña. Amparo Ejemplo Soriano, con NIF 40.221.118-D, de Girona, calle Nou 7.',
      'Y DE OTRA, como ARRENDATARIOS, D. Nil Muestra Puig, con NIF 41.552.009-L, y Dña. Laia Modelo Font, con NIF',
      '41.600.712-P.',
      'EXPONEN',
    ),
    ['Amparo Ejemplo Soriano', 'Nil Muestra Puig', 'Laia Modelo Font'],
  );
  assert.deepEqual(
    parties(
      'De ondergetekenden:',
      '1. Kwekerij Voorbeeld B.V., gevestigd te Naaldwijk, hierna te noemen: werkgever;',
      'en',
      '2. mevrouw Sanne Proefman, geboren op 8 juli 1999, wonende te Monster, hierna te noemen: werknemer;',
    ),
    ['Kwekerij Voorbeeld B.V.', 'Sanne Proefman'],
  );
});

test('the order of Portuguese parties may stand alone, or in figures', () => {
  assert.deepEqual(
    parties(
      'Entre:',
      'PRIMEIRO: Graça Exemplo Pombal, viúva, contribuinte fiscal n.º 144 820 117, na qualidade de SENHORIA;',
      'SEGUNDO: Rodrigo Amostra Alvim, solteiro, contribuinte fiscal n.º 251 009 448, na qualidade de INQUILINO;',
    ),
    ['Graça Exemplo Pombal', 'Rodrigo Amostra Alvim'],
  );
  assert.deepEqual(
    parties(
      'Entre',
      '1.º Outorgante: Padaria Modelo, Unipessoal, Lda., NIPC 509 118 774, com sede em Rua Direita, 41, Viseu,',
      'e',
      '2.º Outorgante: Sónia Amostra Lima, solteira, titular do Cartão de Cidadão n.º 12884107,',
    ),
    ['Padaria Modelo, Unipessoal, Lda.', 'Sónia Amostra Lima'],
  );
});

test('a sentence may have a role before each name', () => {
  assert.deepEqual(
    parties('This agreement is made between the Landlord, Kyle Example, and the Tenant, Monica Sample, for a room.'),
    ['Kyle Example', 'Monica Sample'],
  );
});

test('Mexican contracts name both sides before they say how these are called', () => {
  assert.deepEqual(
    parties(
      'CONTRATO QUE CELEBRAN, POR UNA PARTE, ACEROS DEL EJEMPLO, S.A. DE C.V., REPRESENTADA POR EL ING. HUGO MODELO',
      'LARA, A QUIEN EN LO SUCESIVO SE LE DENOMINARÁ "EL CLIENTE", Y POR LA OTRA, LA LIC. FERNANDA MUESTRA TAPIA, A',
      'QUIEN EN LO SUCESIVO SE LE DENOMINARÁ "LA PRESTADORA".',
    ),
    ['ACEROS DEL EJEMPLO, S.A. DE C.V.', 'FERNANDA MUESTRA TAPIA'],
  );
});

test('titles within names end no clause, and a merchant’s form belongs to the name', () => {
  assert.deepEqual(
    parties(
      'Tra Ceramiche Esempio S.p.A., con sede in Sassuolo, in persona del dott. Carlo Modello (di seguito "Committente")',
      'e Studio Tecnico Ing. Campione, con sede in Reggio Emilia (di seguito "Consulente")',
    ),
    ['Ceramiche Esempio S.p.A.', 'Studio Tecnico Ing. Campione'],
  );
  assert.deepEqual(
    parties(
      'Zwischen dem Klinikum Beispiel gGmbH, Robert-Koch-Straße 2 (im Folgenden „Auftraggeber“ genannt)',
      'und der Firma Muster Gebäudereinigung e.K., Lindenweg 7 (im Folgenden „Auftragnehmer“ genannt)',
    ),
    ['Klinikum Beispiel gGmbH', 'Muster Gebäudereinigung e.K.'],
  );
});

test('a cell may have two people in lines of their own, and OCR a dot for the comma behind a bracket', () => {
  assert.deepEqual(
    compose(
      [[40, 'Wohnraummietvertrag']],
      [
        [40, 'Vermieter:'],
        [160, 'Hausverwaltung Beispiel GmbH & Co. KG'],
      ],
      null,
      [
        [40, 'Mieter:'],
        [160, 'Katharina Muster'],
      ],
      [[160, 'Tobias Muster']],
      [[160, 'Königsbrücker Straße 51, 01099 Dresden']],
    ).parties?.value,
    ['Hausverwaltung Beispiel GmbH & Co. KG', 'Katharina Muster', 'Tobias Muster'],
  );
  assert.deepEqual(
    parties(
      'This Agreement is entered into as of March 15,2023 by and between Sample & Finch Publishing LLC,a Georgia limited',
      'liability company (Company").and Tobias Example,an individual residing at 407 Sample Pl,Decatur,GA (Contractor).',
    ),
    ['Sample & Finch Publishing LLC', 'Tobias Example'],
  );
});

test('who signs as an associate signs for themselves, whatever office is printed below', () => {
  assert.deepEqual(
    compose(
      [[40, 'As an associate of Sample Fashion, Inc. (the “Company”), you will have access to trade secrets of it.']],
      [[40, 'Therefore, in consideration of your salary increase, you agree as follows:']],
      null,
      [
        [40, 'SAMPLE FASHION:'],
        [340, 'ASSOCIATE:'],
      ],
      [
        [40, 'BY: /s/ Mark Example'],
        [340, '/s/ Brian Sample'],
      ],
      [
        [40, 'Mark Example'],
        [340, 'Brian Sample'],
      ],
      [
        [40, 'Executive Vice President, Human Resources'],
        [340, 'President, Factory Outlets'],
      ],
    ).parties?.value,
    ['Sample Fashion, Inc.', 'Brian Sample'],
  );
});

test('of an agreement in the first person, who signs below a company or as a witness is no party', () => {
  assert.deepEqual(
    compose(
      [[40, 'In consideration of the employment of the undersigned (“Employee”), Sample Data Corporation, including']],
      [[40, 'any of its affiliates (collectively, the “Company”), Employee agrees as follows:']],
      null,
      [[40, 'VIKRAM EXAMPLE']],
      [[40, 'Signature']],
      [[40, '/s/ Vikram Example']],
      null,
      [[40, 'SAMPLE DATA CORPORATION']],
      [[40, 'By:']],
      [[40, '/s/ Steven Modell']],
      null,
      [[40, 'Witness:']],
      [[40, '/s/ Mary Muster']],
    ).parties?.value,
    ['Sample Data Corporation', 'Vikram Example'],
  );
});

test('what a company does may stand behind a dash, up to its legal form', () => {
  assert.deepEqual(
    parties(
      'Entre: Vinhas do Exemplo – Sociedade Agrícola, Lda., com sede na Rua da Igreja 4, adiante designada por Cliente,',
      'e Marta Isabel Modelo, residente em Penafiel, adiante designada por Prestadora.',
    ),
    ['Vinhas do Exemplo – Sociedade Agrícola, Lda.', 'Marta Isabel Modelo'],
  );
});

test('parties stand below a heading of theirs, each with its role in brackets', () => {
  assert.deepEqual(
    parties(
      'Services Agreement',
      'Date: 14 February 2025',
      'Parties',
      'Example Freight Pty Ltd ACN 118 447 220 of 9 Wharf Road, Goolwa SA 5214 (Client)',
      'Sample Digital Pty Ltd ABN 44 720 118 447 of Level 2, 50 Pirie Street, Adelaide SA 5000',
      '(Supplier)',
      'Background',
      'A The Client requires website services.',
    ),
    ['Example Freight Pty Ltd', 'Sample Digital Pty Ltd'],
  );
});

test('a name ends above a line with a number that stands over a town', () => {
  assert.deepEqual(
    parties(
      'Geheimhaltungsvereinbarung',
      'zwischen',
      'Sensorik Muster AG',
      'Technologiepark 5',
      '66119 Saarbrücken',
      '(im Folgenden "Muster")',
      'und',
      'Prof. Dr. Ute Beispiel',
      'Campus E2 1',
      '66123 Saarbrücken',
      '(im Folgenden "Beraterin")',
    ),
    ['Sensorik Muster AG', 'Prof. Dr. Ute Beispiel'],
  );
});

test('people of one family are listed behind commas, and no name begins with a form of address', () => {
  assert.deepEqual(parties('RESIDENTIAL LEASE', 'Landlord: Sample LLC', 'Tenant(s): Trevor Muster, Shanice Muster'), [
    'Sample LLC',
    'Trevor Muster',
    'Shanice Muster',
  ]);
  assert.deepEqual(
    parties(
      'CONTRATTO DI LOCAZIONE',
      'La Sig.ra Ornella Esempio, nata a Rovigo il 12/04/1958 (di seguito denominata "locatore")',
      'concede in locazione al Sig. Mirko Modello, nato a Ferrara (di seguito denominato "conduttore"), che accetta.',
    ),
    ['Ornella Esempio', 'Mirko Modello'],
  );
});

test('parties stand at captions of their roles within one clause, and in the forms of Spain', () => {
  assert.deepEqual(
    parties('LODGER AGREEMENT', 'Between', 'The Landlord: Mrs Bridget Sample', 'The Lodger: Mr Tomasz Example'),
    ['Bridget Sample', 'Tomasz Example'],
  );
  assert.deepEqual(
    compose(
      [[40, 'CONTRATO DE TRABAJO INDEFINIDO']],
      [[40, 'DATOS DE LA EMPRESA']],
      [
        [40, 'D./DÑA. MARTA EJEMPLO GIL'],
        [430, 'EN CONCEPTO: ADMINISTRADORA'],
      ],
      [[40, 'NOMBRE O RAZÓN SOCIAL DE LA EMPRESA: PANADERÍA EJEMPLO S.L.']],
      [[40, 'DATOS DEL/DE LA TRABAJADOR/A']],
      [
        [40, 'D./DÑA. JULIÁN MODELO MATO'],
        [300, 'NIF/NIE: 73118447L'],
      ],
    ).parties?.value,
    ['PANADERÍA EJEMPLO S.L.', 'JULIÁN MODELO MATO'],
  );
});

test('one word is a company’s name before its kind, and parties are numbered below their heading in Dutch', () => {
  assert.deepEqual(
    parties(
      'CONTRAT DE PRESTATION DE SERVICES',
      'Entre',
      'EXEMPLYS, société par actions simplifiée au capital de 50 000 €, dont le siège est 8 rue de la Paix, 35000 Rennes,',
      'ci-après « le Client », et Clément Modèle, entrepreneur individuel, ci-après « le Prestataire ».',
    ),
    ['EXEMPLYS', 'Clément Modèle'],
  );
  assert.deepEqual(
    parties(
      'OVEREENKOMST VAN OPDRACHT',
      'Partijen:',
      '1. Gemeente Voorbeeld, gevestigd te Voorbeeld, hierna: Opdrachtgever;',
      '2. Studio Plank, eenmanszaak, gevestigd te Eindhoven, hierna: Opdrachtnemer;',
      'Komen overeen:',
    ),
    ['Gemeente Voorbeeld', 'Studio Plank'],
  );
});

test('a company that a contract of pages names once is no party, unless one clause names both', () => {
  const clauses = Array.from({ length: 40 }, (_, at) =>
    at % 2 === 0
      ? 'The Recipient keeps what it is given to itself, and returns each copy of it when it is asked to do'
      : 'so, with a letter that lists what it has destroyed, by whom that was done and on which of the days.',
  );
  const defined = [
    'March 16, 2020',
    'Westfield Capital, L.P. (the “Recipient”) has asked for what is not known to others.',
    'Example Optics, Inc. (the “Company”) gives it on the terms of this letter.',
    ...clauses,
  ];
  assert.equal(parties(...defined, 'Westfield Capital, L.P.', 'By: ______________'), undefined);
  assert.deepEqual(
    parties(...defined, 'WESTFIELD CAPITAL, L.P.', 'By: ______________', 'EXAMPLE OPTICS, INC.', 'By: ______________'),
    ['Westfield Capital, L.P.', 'Example Optics, Inc.'],
  );
  assert.deepEqual(
    parties(
      'This Agreement is made between Example Optics, Inc. (the “Company”) and Westfield Capital, L.P. (the “Recipient”).',
      ...clauses,
    ),
    ['Example Optics, Inc.', 'Westfield Capital, L.P.'],
  );
});
