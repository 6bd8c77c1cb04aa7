import { captionsIn } from '../captions.ts';
import type { DocumentType } from '../definition.ts';
import { language } from '../fields/always.ts';
import { address, holderFields, issuingAuthority } from '../fields/identity.ts';

const captions = captionsIn({
  en: {
    vehicle_classes: [
      'class',
      'classes',
      'cls',
      'vehicle class',
      '9',
      'vehicle classes',
      'categories',
      'category',
      'licence class',
      'licence type',
      'license type',
    ],
    restrictions: ['restrictions', 'restr', 'rest', 'restriction', '12', 'rstr', 'conditions'],
    endorsements: ['endorsements', 'end', 'endorsement', '9a', 'endors'],
  },
  de: {
    vehicle_classes: ['klasse', 'klassen', 'fahrzeugklassen'],
    restrictions: ['auflagen', 'beschränkungen'],
    endorsements: ['zusatzangaben'],
  },
  fr: {
    vehicle_classes: ['catégorie', 'catégories'],
    restrictions: ['restrictions'],
    endorsements: ['mentions'],
  },
  es: {
    vehicle_classes: ['clase', 'clases'],
    restrictions: ['restricciones'],
    endorsements: ['anotaciones'],
  },
  it: {
    vehicle_classes: ['categorie', 'categoria'],
    restrictions: ['restrizioni'],
    endorsements: ['annotazioni'],
  },
  pt: {
    vehicle_classes: ['categorias'],
    restrictions: ['restrições'],
    endorsements: ['averbamentos'],
  },
  nl: {
    vehicle_classes: ['categorieën'],
    restrictions: ['beperkingen'],
    endorsements: ['aantekeningen'],
  },
  later: {
    restrictions: ['12 restrictions'],
    endorsements: ['9a end', '9a endorsements'],
  },
});

/** A licence's card has a number of its own, which each new card of the same licence changes. */
const licenceFields = holderFields.map((field) =>
  field.name === 'document_number'
    ? { ...field, captions: field.captions.filter((caption) => !/^card(?! ?#)/u.test(caption)) }
    : field,
);

export const driverLicense: DocumentType = {
  name: 'driver_license',
  title: 'Driver license',
  description: 'A driving licence.',
  usual: ['document_number', 'surname', 'given_names', 'date_of_birth', 'issue_date', 'expiry_date'],
  calibrationGroup: 'card',
  mistakenFor: [{ docType: 'id_card', least: 0.1 }],
  fields: [
    ...licenceFields,
    address,
    issuingAuthority,
    {
      name: 'vehicle_classes',
      kind: 'text',
      description: 'Classes of vehicles, separated by commas.',
      composed: true,
      captions: captions('vehicle_classes'),
    },
    {
      name: 'restrictions',
      kind: 'text',
      description: 'Restrictions as printed.',
      composed: true,
      captions: captions('restrictions'),
    },
    {
      name: 'endorsements',
      kind: 'text',
      description: 'Endorsements as printed.',
      composed: true,
      captions: captions('endorsements'),
    },
    language,
  ],
  rows: 'none',
  columns: [],
  evidence: [
    ['driver license', 5],
    ["driver's license", 5],
    ['driving licence', 5],
    ['drivers license', 5],
    ['driver licence', 5],
    ["driver's licence", 5],
    ['drivers licence', 5],
    ['driving license', 5],
    ['licencia de conducir', 5],
    ['licencia para conducir', 5],
    ['carteira nacional de habilitação', 5],
    ['prawo jazdy', 5],
    ['körkort', 5],
    ['kørekort', 5],
    ['førerkort', 5],
    ['ajokortti', 5],
    ['řidičský průkaz', 5],
    ['führerschein', 5],
    ['permis de conduire', 5],
    ['permiso de conducción', 5],
    ['permiso de conducir', 5],
    ['patente di guida', 5],
    ['carta de condução', 5],
    ['rijbewijs', 5],
    ['class', 1],
    ['endorsements', 2],
    ['restrictions', 2],
    ['dln', 2],
    ['organ donor', 2],
    ['donor', 1],
    ['hgt', 2.5],
    ['wgt', 2.5],
    ['eyes', 2],
    ['hair', 1],
    ['exp', 1],
    ['iss', 1],
    ['4a', 1.5],
    ['4b', 1.5],
    ['4d', 1.5],
    ['department of motor vehicles', 3],
    ['dmv', 2],
    ['veteran', 1.5],
    ['rest', 0.5],
    ['dd', 0.5],
    ['height', 1],
    ['vehicle classes', 2],
    ['4c', 1.5],
  ],
};
