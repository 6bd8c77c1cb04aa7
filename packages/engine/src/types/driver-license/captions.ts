import { captionsIn } from '../captions.ts';

export const captions = captionsIn({
  en: {
    vehicle_classes: ['class', 'classes', 'cls', 'vehicle class', '9', 'vehicle classes', 'categories', 'category'],
    restrictions: ['restrictions', 'restr', 'rest', 'restriction', '12', 'rstr'],
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
