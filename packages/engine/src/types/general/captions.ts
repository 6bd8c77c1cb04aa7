import { captionsIn } from '../captions.ts';

export const captions = captionsIn({
  en: {
    title: ['subject', 're'],
    date: ['date'],
  },
  de: {
    title: ['betreff', 'betrifft'],
    date: ['datum'],
  },
  fr: {
    title: ['objet'],
  },
  es: {
    title: ['asunto'],
    date: ['fecha'],
  },
  it: {
    title: ['oggetto'],
    date: ['data'],
  },
  pt: {
    title: ['assunto'],
  },
  nl: {
    title: ['betreft', 'onderwerp'],
  },
  later: {
    title: ['title', 'titel', 'titre', 'título', 'titolo'],
    date: ['le', 'den', 'dated'],
  },
});
