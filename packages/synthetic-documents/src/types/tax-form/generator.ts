import type { JsonValue } from '@millrace/document-model';
import { Draft, type GeneratedDocument } from '../../generated.ts';
import type { Language } from '../../regions.ts';
import type { Person, Scene } from '../../scene.ts';
import { black, gray, type Piece, Sheet } from '../../sheet.ts';
import type { Generator } from '../generator.ts';

const taxFormLayouts = ['W-9', '1099-MISC', '1099-INT', 'W-2', '1098', '1040'] as const;

/** A cell of a form: its printed label, and the value's lines. */
interface Cell {
  readonly label: string;
  readonly lines: readonly (Piece | readonly (string | Piece)[])[];
  readonly span?: number;
  readonly height?: number;
}

/** Draws an American form, or a certificate of wages or withholding as other countries' authorities have them. */
function drawTaxForm(scene: Scene, layout?: string): GeneratedDocument {
  const { random, region } = scene;
  const draft = new Draft(scene, 'tax_form');
  if (region.language !== 'en') return drawCertificate(scene, draft);
  const chosen = taxFormLayouts.find((name) => name === layout) ?? random.pick(taxFormLayouts);
  draft.layout = chosen;
  draft.set('currency', 'USD');
  const sheet = new Sheet(612, 792, { sizePoints: 9 });
  const year = random.integer(2018, 2025);
  const payer = scene.company();
  const person = scene.person();
  const address = scene.address().lines;
  const ssn = `${random.digits(3)}-${random.digits(2)}-${random.digits(4)}`;
  const masked = random.chance(0.3) ? `XXX-XX-${ssn.slice(7)}` : ssn;
  const ein = `${random.integer(10, 98)}-${random.digits(7)}`;
  const boxes: Record<string, JsonValue> = {};
  const cents = () => Math.round(random.next() * random.pick([900, 12000, 90000]) * 100) / 100;
  const amount = (label: string, probability: number, value = cents()): Cell => {
    if (!random.chance(probability)) return { label, lines: [[{ text: '$' }]] };
    const whole = random.chance(0.3) ? Math.round(value) : value;
    boxes[label] = whole;
    return { label, lines: [['$ ', { text: scene.number(whole, Number.isInteger(whole) ? 0 : 2), field: 'boxes' }]] };
  };
  const text = (label: string, probability: number, value: string): Cell => {
    if (!random.chance(probability)) return { label, lines: [] };
    boxes[label] = value;
    return { label, lines: [{ text: value, field: 'boxes' }] };
  };
  switch (chosen) {
    case 'W-9':
      drawRequest();
      break;
    case '1040':
      drawReturn();
      break;
    default:
      drawInformationForm();
  }
  draft.set('boxes', boxes);
  return draft.finish(sheet);

  function drawRows(x0: number, y0: number, width: number, rows: readonly (readonly Cell[])[]): number {
    let y = y0;
    for (const row of rows) {
      const height = Math.max(...row.map((cell) => cell.height ?? 36));
      const spans = row.reduce((sum, cell) => sum + (cell.span ?? 1), 0);
      let x = x0;
      for (const cell of row) {
        const cellWidth = (width * (cell.span ?? 1)) / spans;
        sheet.area({ x0: x, y0: y, x1: x + cellWidth, y1: y + height }, { border: black, widthPoints: 0.5 });
        const labelEnd = sheet.paragraph(x + 3, y + 8, cellWidth - 5, cell.label, { sizePoints: 6.3, leading: 1.15 });
        const top = Math.max(labelEnd + 3, y + height - 5 - (cell.lines.length - 1) * 10.5);
        cell.lines.forEach((line, index) => {
          sheet.pieces(x + 6, top + index * 10.5, 'text' in line ? [line] : line, { sizePoints: 9 });
        });
        x += cellWidth;
      }
      y += height;
    }
    return y;
  }

  function drawInformationForm(): void {
    const payerLines = [
      draft.piece('payer_name', payer.name),
      ...payer.address.lines.map((line) => ({ text: line })),
      { text: payer.phone },
    ];
    const [street, ...rest] = address;
    const wage = Math.round((22000 + random.next() * 120000) * 100) / 100;
    const formName = `Form ${chosen}`;
    const payerRole = chosen === 'W-2' ? 'Employer' : chosen === '1098' ? 'Lender' : 'Payer';
    if (chosen === 'W-2') {
      sheet.text(40, 48, 'a Employee’s social security number', { sizePoints: 6.5 });
      sheet.text(180, 50, draft.piece('recipient_tax_id', masked), { bold: true });
      sheet.text(560, 48, 'OMB No. 1545-0008', { sizePoints: 7, align: 'right' });
      const amounts: [string, number, number][] = [
        ['1 Wages, tips, other compensation', 1, wage],
        ['2 Federal income tax withheld', 1, wage * 0.14],
        ['3 Social security wages', 0.95, wage],
        ['4 Social security tax withheld', 0.95, wage * 0.062],
        ['5 Medicare wages and tips', 0.95, wage],
        ['6 Medicare tax withheld', 0.95, wage * 0.0145],
        ['7 Social security tips', 0.1, 0],
        ['8 Allocated tips', 0.05, 0],
        ['10 Dependent care benefits', 0.15, 1200],
        ['11 Nonqualified plans', 0.1, 800],
      ];
      const cells = amounts.map(([label, probability, value]) =>
        amount(label, probability, Math.round((value || 350) * 100) / 100),
      );
      const rows: Cell[][] = [];
      for (let index = 0; index < cells.length; index += 2) rows.push(cells.slice(index, index + 2));
      drawRows(340, 58, 232, rows);
      let y = drawRows(40, 58, 300, [
        [{ label: 'b Employer identification number (EIN)', lines: [draft.piece('payer_tax_id', ein)], height: 34 }],
        [{ label: 'c Employer’s name, address, and ZIP code', lines: payerLines.slice(0, 4), height: 64 }],
        [text('d Control number', 0.4, random.digits(6))],
        [
          {
            label: 'e Employee’s first name and initial    Last name',
            lines: [draft.piece('recipient_name', person.full)],
            height: 34,
          },
        ],
        [{ label: 'f Employee’s address and ZIP code', lines: draft.lines('recipient_address', address), height: 46 }],
      ]);
      y = drawRows(40, Math.max(y, 260), 532, [
        [
          text('15 State', 0.9, random.pick(['WA', 'OR', 'CA', 'CO', 'OH'])),
          amount('16 State wages, tips, etc.', 0.7, wage),
          amount('17 State income tax', 0.7, Math.round(wage * 4) / 100),
          amount('18 Local wages, tips, etc.', 0.2),
        ],
      ]);
      sheet.pieces(40, y + 22, ['Form ', draft.piece('form_type', 'W-2'), '  Wage and Tax Statement'], {
        bold: true,
        sizePoints: 11,
      });
      sheet.text(340, y + 24, draft.piece('tax_year', { value: year, text: String(year) }), {
        bold: true,
        sizePoints: 16,
      });
      sheet.text(572, y + 20, 'Department of the Treasury—Internal Revenue Service', {
        sizePoints: 6.5,
        align: 'right',
      });
      sheet.text(40, y + 38, 'Copy B—To Be Filed With Employee’s FEDERAL Tax Return.', { sizePoints: 7 });
      return;
    }
    const fiscal = (values: readonly (readonly [string, number])[]) =>
      values.map(([label, probability]) => amount(label, probability));
    const specs: Record<string, readonly (readonly [string, number])[]> = {
      '1099-MISC': [
        ['1 Rents', 0.6],
        ['2 Royalties', 0.5],
        ['3 Other income', 0.5],
        ['4 Federal income tax withheld', 0.6],
        ['5 Fishing boat proceeds', 0.1],
        ['6 Medical and health care payments', 0.3],
        ['9 Crop insurance proceeds', 0.1],
        ['10 Gross proceeds paid to an attorney', 0.2],
        ['12 Section 409A deferrals', 0.1],
        ['14 Nonqualified deferred compensation', 0.15],
      ],
      '1099-INT': [
        ['1 Interest income', 0.95],
        ['2 Early withdrawal penalty', 0.3],
        ['3 Interest on U.S. Savings Bonds and Treas. obligations', 0.3],
        ['4 Federal income tax withheld', 0.6],
        ['5 Investment expenses', 0.2],
        ['6 Foreign tax paid', 0.2],
        ['8 Tax-exempt interest', 0.3],
        ['9 Specified private activity bond interest', 0.1],
      ],
      '1098': [
        ['1 Mortgage interest received from payer(s)/borrower(s)', 0.95],
        ['2 Outstanding mortgage principal', 0.9],
        ['4 Refund of overpaid interest', 0.2],
        ['5 Mortgage insurance premiums', 0.4],
        ['6 Points paid on purchase of principal residence', 0.3],
      ],
    };
    const recipientRole = chosen === '1098' ? 'PAYER’S/BORROWER’S' : 'RECIPIENT’S';
    const payerTitle = chosen === '1098' ? 'RECIPIENT’S/LENDER’S' : 'PAYER’S';
    sheet.text(306, 44, `[ ] CORRECTED (if checked)`, { sizePoints: 7, align: 'center' });
    drawRows(40, 54, 270, [
      [
        {
          label: `${payerTitle} name, street address, city or town, state or province, country, ZIP or foreign postal code, and telephone no.`,
          lines: payerLines,
          height: 96,
        },
      ],
      [
        { label: `${payerTitle} TIN`, lines: [draft.piece('payer_tax_id', ein)], height: 40 },
        { label: `${recipientRole} TIN`, lines: [draft.piece('recipient_tax_id', masked)], height: 40 },
      ],
      [{ label: `${recipientRole} name`, lines: [draft.piece('recipient_name', person.full)], height: 38 }],
      [
        {
          label: 'Street address (including apt. no.)',
          lines: [draft.lines('recipient_address', address)[0]!],
          height: 38,
        },
      ],
      [
        {
          label: 'City or town, state or province, country, and ZIP or foreign postal code',
          lines: rest.length ? [{ text: rest.join(', '), field: 'recipient_address' }] : [],
          height: 38,
        },
      ],
      [text('Account number (see instructions)', 0.6, random.digits(8))],
    ]);
    draft.piece('recipient_address', { value: [street, ...rest].join(', '), text: '' });
    const cells = fiscal(specs[chosen] ?? []);
    const rows: Cell[][] = [];
    for (let index = 0; index < cells.length; index += 2)
      rows.push(cells.slice(index, index + 2).map((cell) => ({ ...cell, height: 42 })));
    const end = drawRows(310, 54, 200, rows);
    sheet.text(516, 64, 'OMB No. 1545-0115', { sizePoints: 6.5 });
    sheet.text(516, 90, draft.piece('tax_year', { value: year, text: String(year) }), { sizePoints: 20, bold: true });
    sheet.paragraph(
      516,
      108,
      70,
      {
        '1099-MISC': 'Miscellaneous Information',
        '1099-INT': 'Interest Income',
        '1098': 'Mortgage Interest Statement',
      }[chosen as '1099-MISC'] ?? '',
      { sizePoints: 9, bold: true },
    );
    sheet.paragraph(516, 150, 70, `Copy B For ${payerRole === 'Lender' ? 'Payer/Borrower' : 'Recipient'}`, {
      sizePoints: 7.5,
      bold: true,
    });
    sheet.paragraph(516, 180, 66, 'This is important tax information and is being furnished to the IRS.', {
      sizePoints: 6,
      color: gray,
    });
    const foot = Math.max(end, 350) + 14;
    sheet.pieces(40, foot, ['Form ', draft.piece('form_type', chosen)], { bold: true });
    sheet.text(240, foot, '(keep for your records)', { sizePoints: 7 });
    sheet.text(572, foot, 'Department of the Treasury - Internal Revenue Service', { sizePoints: 6.5, align: 'right' });
    if (formName === '') return;
  }

  function drawRequest(): void {
    sheet.pieces(40, 56, ['Form ', draft.piece('form_type', 'W-9')], { bold: true, sizePoints: 16 });
    sheet.text(40, 70, `(Rev. October ${year})`, { sizePoints: 7 });
    sheet.text(40, 80, 'Department of the Treasury Internal Revenue Service', { sizePoints: 6 });
    sheet.text(306, 56, 'Request for Taxpayer', { bold: true, sizePoints: 13, align: 'center' });
    sheet.text(306, 72, 'Identification Number and Certification', { bold: true, sizePoints: 13, align: 'center' });
    sheet.paragraph(486, 56, 90, 'Give Form to the requester. Do not send to the IRS.', { bold: true, sizePoints: 8 });
    const business = random.chance(0.5) ? scene.company().name : '';
    if (business !== '') boxes['2 Business name/disregarded entity name, if different from above'] = business;
    const requester = random.chance(0.5) ? scene.company().name : '';
    if (requester !== '') boxes['Requester’s name and address (optional)'] = requester;
    const lines = draft.lines('recipient_address', address);
    let y = drawRows(40, 92, 532, [
      [
        {
          label:
            '1 Name (as shown on your income tax return). Name is required on this line; do not leave this line blank.',
          lines: [draft.piece('recipient_name', person.full)],
          height: 34,
        },
      ],
      [
        {
          label: '2 Business name/disregarded entity name, if different from above',
          lines: business ? [{ text: business, field: 'boxes' }] : [],
          height: 34,
        },
      ],
      [
        {
          label:
            '3 Check appropriate box for federal tax classification of the person whose name is entered on line 1. Check only one of the following seven boxes.',
          lines: [
            {
              text: `[${random.chance(0.6) ? 'X' : ' '}] Individual/sole proprietor   [ ] C Corporation   [ ] S Corporation   [ ] Partnership   [ ] Trust/estate`,
            },
          ],
          height: 52,
          span: 3,
        },
        text('4 Exemptions: Exempt payee code (if any)', 0.25, String(random.integer(1, 13))),
      ],
      [
        {
          label: '5 Address (number, street, and apt. or suite no.) See instructions.',
          lines: [lines[0]!],
          height: 34,
          span: 2,
        },
        {
          label: 'Requester’s name and address (optional)',
          lines: requester ? [{ text: requester, field: 'boxes' }] : [],
          height: 34,
        },
      ],
      [
        {
          label: '6 City, state, and ZIP code',
          lines: [lines.slice(1).flatMap((piece, index) => (index ? [', ', piece] : [piece]))],
          height: 34,
        },
      ],
      [text('7 List account number(s) here (optional)', 0.4, random.digits(10))],
    ]);
    sheet.text(40, y + 18, 'Part I   Taxpayer Identification Number (TIN)', { bold: true });
    sheet.paragraph(
      40,
      y + 32,
      320,
      'Enter your TIN in the appropriate box. The TIN provided must match the name given on line 1 to avoid backup withholding. For individuals, this is generally your social security number (SSN).',
      { sizePoints: 7 },
    );
    const withEin = random.chance(0.35);
    sheet.text(390, y + 28, withEin ? 'Employer identification number' : 'Social security number', {
      sizePoints: 7,
      bold: true,
    });
    sheet.text(392, y + 46, draft.piece('recipient_tax_id', withEin ? ein : ssn), { sizePoints: 12, family: 'mono' });
    y += 78;
    sheet.text(40, y, 'Part II   Certification', { bold: true });
    sheet.paragraph(
      40,
      y + 14,
      532,
      'Under penalties of perjury, I certify that: 1. The number shown on this form is my correct taxpayer identification number (or I am waiting for a number to be issued to me); and 2. I am not subject to backup withholding.',
      { sizePoints: 7.5 },
    );
    sheet.text(
      40,
      y + 58,
      `Sign Here   Signature of U.S. person      Date ${random.integer(1, 12)}/${random.integer(1, 28)}/${year}`,
      { sizePoints: 9 },
    );
  }

  function drawReturn(): void {
    const schedule = random.chance(0.4) ? random.pick(['A', 'B', 'C', 'D']) : null;
    const title = schedule
      ? {
          A: 'Itemized Deductions',
          B: 'Interest and Ordinary Dividends',
          C: 'Profit or Loss From Business',
          D: 'Capital Gains and Losses',
        }[schedule]
      : 'U.S. Individual Income Tax Return';
    const form = draft.piece(
      'form_type',
      schedule ? { value: `1040 Schedule ${schedule}`, text: `SCHEDULE ${schedule}` } : '1040',
    );
    if (schedule) {
      sheet.text(40, 52, form, { bold: true, sizePoints: 14 });
      sheet.text(40, 66, '(Form 1040)', { bold: true });
    } else sheet.pieces(40, 54, ['Form ', form], { bold: true, sizePoints: 16 });
    sheet.text(40, 78, 'Department of the Treasury Internal Revenue Service', { sizePoints: 6 });
    sheet.text(306, 56, title ?? '', { bold: true, sizePoints: 14, align: 'center' });
    sheet.text(560, 50, 'OMB No. 1545-0074', { sizePoints: 7, align: 'right' });
    sheet.text(560, 72, draft.piece('tax_year', { value: year, text: String(year) }), {
      bold: true,
      sizePoints: 18,
      align: 'right',
    });
    const first: Cell[][] = schedule
      ? [
          [
            { label: 'Name(s) shown on Form 1040', lines: [draft.piece('recipient_name', person.full)], span: 3 },
            { label: 'Your social security number', lines: [draft.piece('recipient_tax_id', ssn)] },
          ],
        ]
      : [
          [
            {
              label: 'Your first name and middle initial    Last name',
              lines: [draft.piece('recipient_name', person.full)],
              span: 3,
            },
            { label: 'Your social security number', lines: [draft.piece('recipient_tax_id', ssn)] },
          ],
          [
            {
              label: 'Home address (number and street). If you have a P.O. box, see instructions.',
              lines: [draft.lines('recipient_address', address)[0]!],
              span: 3,
            },
            { label: 'Apt. no.', lines: [] },
          ],
          [
            {
              label: 'City, town, or post office. If you have a foreign address, also complete spaces below.',
              lines: [{ text: address.slice(1).join(', '), field: 'recipient_address' }],
            },
          ],
        ];
    let y = drawRows(40, 90, 532, first) + 16;
    const lineSets: Record<string, readonly string[]> = {
      A: [
        '1 Medical and dental expenses',
        '5a State and local income taxes',
        '8a Home mortgage interest and points',
        '11 Gifts by cash or check',
        '17 Total itemized deductions',
      ],
      B: [
        '1 Interest',
        '2 Add the amounts on line 1',
        '4 Taxable interest',
        '5 Ordinary dividends',
        '6 Total ordinary dividends',
      ],
      C: [
        '1 Gross receipts or sales',
        '4 Cost of goods sold',
        '7 Gross income',
        '28 Total expenses before expenses for business use of home',
        '31 Net profit or (loss)',
      ],
      D: [
        '1b Totals for all short-term transactions',
        '7 Net short-term capital gain or (loss)',
        '15 Net long-term capital gain or (loss)',
        '16 Combine lines 7 and 15',
      ],
      none: [
        '1 Wages, salaries, tips, etc.',
        '2b Taxable interest',
        '3b Ordinary dividends',
        '7 Capital gain or (loss)',
        '9 Total income',
        '11 Adjusted gross income',
        '15 Taxable income',
        '24 Total tax',
        '25d Federal income tax withheld',
        '34 Overpaid amount',
      ],
    };
    for (const name of lineSets[schedule ?? 'none']!) {
      sheet.text(44, y, name, { sizePoints: 8 });
      sheet.area({ x0: 480, y0: y - 10, x1: 572, y1: y + 4 }, { border: gray, widthPoints: 0.4 });
      if (random.chance(0.85)) {
        const value = Math.round(random.next() * 90000);
        boxes[name] = value;
        sheet.text(566, y, { text: scene.number(value, 0), field: 'boxes' }, { align: 'right' });
      }
      y += 16;
    }
    sheet.text(40, 760, 'For Disclosure, Privacy Act, and Paperwork Reduction Act Notice, see separate instructions.', {
      sizePoints: 6.5,
    });
  }
}

interface CertificateWords {
  readonly form: string;
  readonly title: string;
  readonly authority: string;
  readonly year: string;
  readonly payer: string;
  readonly payerId: string;
  readonly recipient: string;
  readonly recipientId: string;
  readonly address: string;
  readonly boxes: readonly string[];
}

const certificates: Readonly<Partial<Record<Language, CertificateWords>>> = {
  de: {
    form: 'Lohnsteuerbescheinigung',
    title: 'Ausdruck der elektronischen Lohnsteuerbescheinigung',
    authority: 'Finanzamt',
    year: 'Steuerjahr',
    payer: 'Arbeitgeber',
    payerId: 'Steuernummer',
    recipient: 'Arbeitnehmer',
    recipientId: 'Identifikationsnummer',
    address: 'Anschrift',
    boxes: [
      '3. Bruttoarbeitslohn',
      '4. Einbehaltene Lohnsteuer',
      '5. Einbehaltener Solidaritätszuschlag',
      '6. Einbehaltene Kirchensteuer',
      '22. Arbeitgeberanteil zur Rentenversicherung',
      '23. Arbeitnehmeranteil zur Rentenversicherung',
    ],
  },
  fr: {
    form: 'Imprimé fiscal unique',
    title: 'IMPRIMÉ FISCAL UNIQUE',
    authority: 'Direction générale des finances publiques',
    year: "Année d'imposition",
    payer: 'Débiteur',
    payerId: 'SIRET',
    recipient: 'Bénéficiaire',
    recipientId: 'Numéro fiscal',
    address: 'Adresse',
    boxes: [
      '2TR Intérêts et autres produits',
      '2DC Revenus des actions',
      '2CK Crédit d’impôt',
      '2CG Revenus soumis aux prélèvements sociaux',
      '3VG Plus-values',
    ],
  },
  es: {
    form: 'Modelo 190',
    title: 'CERTIFICADO DE RETENCIONES E INGRESOS A CUENTA',
    authority: 'Agencia Tributaria',
    year: 'Ejercicio',
    payer: 'Pagador',
    payerId: 'NIF pagador',
    recipient: 'Perceptor',
    recipientId: 'NIF perceptor',
    address: 'Domicilio fiscal',
    boxes: [
      'Retribuciones dinerarias',
      'Retenciones practicadas',
      'Gastos deducibles',
      'Retribuciones en especie',
      'Ingresos a cuenta',
    ],
  },
  it: {
    form: 'Certificazione Unica',
    title: 'CERTIFICAZIONE UNICA',
    authority: 'Agenzia delle Entrate',
    year: "Periodo d'imposta",
    payer: "Sostituto d'imposta",
    payerId: 'Codice fiscale',
    recipient: 'Percipiente',
    recipientId: 'Codice fiscale percipiente',
    address: 'Domicilio fiscale',
    boxes: [
      '1 Redditi di lavoro dipendente',
      '21 Ritenute IRPEF',
      '22 Addizionale regionale',
      '26 Addizionale comunale',
      '4 Altri redditi assimilati',
    ],
  },
  pt: {
    form: 'Declaração anual de rendimentos',
    title: 'DECLARAÇÃO ANUAL DE RENDIMENTOS',
    authority: 'Autoridade Tributária e Aduaneira',
    year: 'Ano',
    payer: 'Entidade pagadora',
    payerId: 'NIPC',
    recipient: 'Beneficiário',
    recipientId: 'NIF beneficiário',
    address: 'Domicílio fiscal',
    boxes: [
      'Rendimentos do trabalho',
      'Retenções na fonte',
      'Contribuições obrigatórias',
      'Quotizações sindicais',
      'Sobretaxa',
    ],
  },
  nl: {
    form: 'Jaaropgaaf',
    title: 'JAAROPGAAF',
    authority: 'Belastingdienst',
    year: 'Belastingjaar',
    payer: 'Werkgever',
    payerId: 'Loonheffingennummer',
    recipient: 'Werknemer',
    recipientId: 'Burgerservicenummer',
    address: 'Adres',
    boxes: [
      'Loon loonbelasting/volksverzekeringen',
      'Ingehouden loonbelasting/premie',
      'Verrekende arbeidskorting',
      'Werkgeversheffing Zvw',
      'Ingehouden bijdrage Zvw',
    ],
  },
};

function drawCertificate(scene: Scene, draft: Draft): GeneratedDocument {
  const { random, region } = scene;
  draft.layout = 'certificate';
  const words = certificates[region.language]!;
  const sheet = new Sheet(region.paper[0], region.paper[1], { sizePoints: 9.5 });
  const year = random.integer(2018, 2025);
  const payer = scene.company();
  const person: Person = scene.person();
  const address = scene.address();
  const boxes: Record<string, JsonValue> = {};
  draft.set('currency', region.currency);
  sheet.text(50, 50, words.authority, { sizePoints: 9, color: gray });
  const titled = words.title.toLowerCase() === words.form.toLowerCase();
  sheet.text(50, 76, titled ? draft.piece('form_type', { value: words.form, text: words.title }) : words.title, {
    sizePoints: 14,
    bold: true,
  });
  if (!titled) sheet.text(50, 92, draft.piece('form_type', words.form), { color: gray });
  sheet.pieces(sheet.width - 50, 76, [`${words.year} `, draft.piece('tax_year', { value: year, text: String(year) })], {
    align: 'right',
    bold: true,
    sizePoints: 11,
  });
  let y = 122;
  const pair = (caption: string, pieces: readonly (string | Piece)[]) => {
    sheet.text(50, y, `${caption}:`, { color: gray });
    sheet.pieces(210, y, pieces, { bold: random.chance(0.3) });
    y += 16;
  };
  pair(words.payer, [draft.piece('payer_name', payer.name)]);
  const taxId = region.taxId(random);
  pair(words.payerId, [draft.piece('payer_tax_id', { value: taxId.text.replaceAll(' ', ''), text: taxId.text })]);
  y += 8;
  pair(words.recipient, [draft.piece('recipient_name', person.full)]);
  pair(words.recipientId, [
    draft.piece('recipient_tax_id', random.digits(region.language === 'fr' ? 13 : region.language === 'de' ? 11 : 9)),
  ]);
  pair(
    words.address,
    draft.lines('recipient_address', address.lines).flatMap((piece, index) => (index ? [', ', piece] : [piece])),
  );
  y += 14;
  for (const name of words.boxes) {
    sheet.area({ x0: 50, y0: y - 13, x1: sheet.width - 50, y1: y + 6 }, { border: gray, widthPoints: 0.5 });
    sheet.text(56, y, name);
    if (random.chance(0.85)) {
      const value = Math.round(random.next() * random.pick([900, 52000]) * 100) / 100;
      boxes[name] = value;
      sheet.text(sheet.width - 56, y, { text: scene.number(value), field: 'boxes' }, { align: 'right' });
    }
    y += 19;
  }
  draft.set('boxes', boxes);
  sheet.text(50, y + 26, `${address.city}, ${scene.date(`${year + 1}-02-1${random.integer(0, 9)}`).text}`, {
    color: gray,
  });
  return draft.finish(sheet);
}

export const taxFormGenerator: Generator = { draw: drawTaxForm, layouts: taxFormLayouts, englishIsAmerican: true };
