import type { Random } from './random.ts';
import type { Language } from './regions.ts';

/**
 * Captions that nobody's dictionary has: a wording is taken apart into words, of which some are replaced by others that
 * mean about the same, turned around, abbreviated, extended or left out altogether.
 */
export interface Rephraser {
  /** A caption in other words; empty where the document does without one. */
  rephrase(caption: string): string;
}

/** For each language lists of words that may stand for each other in a caption; after ` > ` those that only replace. */
const synonyms: Readonly<Record<Language, readonly string[]>> = {
  en: [
    'number|no.|#|no|nr > ref|identifier|code|reference code|serial|control no.|ID number|num.',
    'date|dated > day|dated on|as per|of the|created on|generated|on the day of',
    'total > sum|aggregate|all in all|grand sum|overall|in total|altogether',
    'amount > sum|figure|value|how much|amt.|charge|US$',
    'due > outstanding|to settle|owing|open|still to pay|for settlement',
    'invoice|bill > account|claim|billing document|sales doc|fiscal document',
    'customer|client > purchaser|you|account party|recipient|debtor|patron',
    'name > full name|called|known as|person|printed name|designation',
    'address > location|residence|where|street and town|mailing details|site',
    'supplier|vendor|seller|from > issued by|contractor|provided by|trading as|on behalf of|our firm',
    'to > for|attention|in care of|attn.|directed to',
    'ship|deliver|delivery|shipping > dispatch|consign|drop-off|goods to|haulage',
    'order > job|call-off|requisition|commission|assignment',
    'tax|vat > duty|levy|fiscal charge|government charge|statutory',
    'subtotal > goods value|before levy|merchandise|sum of items|carried forward',
    'account > acct|a/c|ledger|contract|relation',
    'balance > position|standing|funds|remainder|book value',
    'opening|previous > brought forward|start|initial|earlier|old',
    'closing|current > carried over|end|final|latest|new|this month',
    'period > interval|term|span|cycle|for the time|covered days',
    'employee > staff member|worker|associate|personnel|team member|payee',
    'employer > firm|paying company|organisation|paymaster',
    'gross > before deductions|earned|pay total|total remuneration',
    'net > take-home|after deductions|transferred|paid out',
    'pay|salary > earnings|wage|remuneration|disbursement',
    'deductions > withheld|taken off|less|stoppages',
    'patient > examinee|subject|person examined|case of',
    'physician|doctor > consultant|requested by|ordering provider|referrer|clinician',
    'birth > born|birthday|DOB',
    'expiry|expires > valid thru|good until|until|not after',
    'issue|issued > given|granted|since|made out',
    'document > certificate|paper|permit|booklet',
    'surname|last > family|1.|name 1',
    'given|first > forename|2.|name 2',
    'meter > counter|gauge|device|installation',
    'consumption|usage > drawn|units taken|metered|quantity supplied|volume',
    'service > supply|connection|work|support',
    'payment > settlement|remittance|transfer|money',
    'terms > conditions|arrangement|agreed|modalities',
    'reference > our sign|your sign|quote this|keyword|matter',
    'description > what|particulars|goods and services|text|details of supply',
    'quantity|qty > pieces|how many|units|count',
    'price > each|rate|per piece|tariff',
    'bank > institution|house bank|credit institute',
    'member > insured|subscriber|policyholder|participant',
    'group > employer group|scheme|grp|plan sponsor',
    'shipper > exporter|consignor|sender of goods|merchant',
    'consignee > importer|receiver|for account of|delivered to',
    'vessel > ship|ocean carrier|mv|sailing',
    'port > harbour|place|terminal|seaport',
    'weight > mass|kilos|load',
  ],
  de: [
    'nummer|nr.|nr > Kennung|Zeichen|Ziffer|Code|Kennziffer|lfd. Nr.|ID',
    'datum|am|vom > Tag|erstellt|Stand|den|ausgefertigt am',
    'rechnung > Abrechnung|Faktura|Beleg|Kostenaufstellung|Liquidation',
    'kunde|kunden > Abnehmer|Auftraggeber|Debitor|Besteller|Sie',
    'betrag|summe > Wert|Preis|insgesamt|Forderung|EUR',
    'gesamtbetrag|gesamt|rechnungsbetrag|endbetrag > alles zusammen|zu begleichen|Endsumme|Forderung gesamt|inkl. Steuern',
    'fällig|zahlbar > auszugleichen|spätestens|offen bis|Ausgleich',
    'bestellung|auftrag > Kommission|Order|Abruf|Vorgang',
    'lieferung|liefer > Versand|Anlieferung|Zustellung|Warenausgang',
    'adresse|anschrift > Standort|Ort|wohnhaft|Sitz|Straße und Ort',
    'absender|lieferant|verkäufer > Firma|Auftragnehmer|Leistungserbringer|unser Haus',
    'konto > Kto|Verbindung|Depot|Bankkonto',
    'zeitraum > für die Zeit|Dauer|Spanne|Monate|Intervall',
    'arbeitnehmer|mitarbeiter > Beschäftigter|Angestellte/r|Person|Belegschaft',
    'arbeitgeber > Betrieb|Firma|Unternehmen|Dienstherr',
    'steuer|mwst|ust > Abgabe|USt-Anteil|Fiskus|gesetzl. Anteil',
    'zähler > Messgerät|Gerät|Einrichtung|Anlage',
    'verbrauch > Bezug|abgenommen|Menge|entnommen',
    'name > Bezeichnung|Vor- und Zuname|Person|benannt',
    'menge > Stück|wie viel|Umfang',
    'geburtsdatum > geb. am|Geburtstag',
    'patient > untersuchte Person|Proband|Pat.',
  ],
  fr: [
    'numéro|n°|nº > réf.|code|identifiant|matricule|no.',
    'date > le|en date du|jour|établi le|fait le',
    'facture > relevé|note|décompte|pièce|titre',
    'client > acheteur|preneur|destinataire|votre compte|donneur d’ordre',
    'montant|total > somme|à régler|valeur|ensemble|tout compris',
    'échéance > au plus tard|règlement pour|dû le|limite',
    'commande > ordre|bon|affaire|marché',
    'livraison > expédition|envoi|remise|acheminement',
    'adresse > lieu|domicile|site|situé',
    'fournisseur|émetteur|vendeur > entreprise|société|établi par|prestataire',
    'compte > cpte|relation|contrat',
    'période > intervalle|mois|du temps|durée',
    'salarié > employé|collaborateur|agent|bénéficiaire',
    'employeur > société|organisme|établissement',
    'tva|taxe > impôt|droit|part fiscale',
    'compteur > appareil|installation|mesure',
    'consommation > volume|quantité relevée|soutirage',
    'nom > dénomination|personne|nommé',
  ],
  es: [
    'número|nº|n.º > ref.|código|clave|identificador|expediente',
    'fecha > día|a fecha|emitido el|con data',
    'factura > cuenta|nota|documento|cargo',
    'cliente > comprador|destinatario|abonado|usted',
    'total|importe > suma|a satisfacer|valor|en conjunto|cantidad',
    'vencimiento > plazo|antes del|límite|a liquidar',
    'pedido > encargo|orden|referencia de compra',
    'dirección|domicilio > lugar|sede|ubicación|calle y población',
    'proveedor|emisor|vendedor > empresa|expedido por|razón social',
    'cuenta > cta.|contrato|relación',
    'periodo|período > intervalo|meses|tiempo',
    'nombre > denominación|persona|titularidad',
  ],
  it: [
    'numero|n.|nr. > rif.|codice|protocollo|sigla|id',
    'data > giorno|del|emesso il|addì',
    'fattura > documento|nota|conto|parcella',
    'cliente > acquirente|committente|utente|a favore di',
    'totale|importo > somma|a saldo|valore|complessivo dovuto',
    'scadenza > termine|entro e non oltre|limite',
    'ordine > commessa|richiesta|pratica',
    'indirizzo > sede|luogo|residenza|ubicazione',
    'fornitore|mittente > ditta|azienda|emesso da',
    'conto > c/c|rapporto|contratto',
    'periodo > intervallo|mesi|arco',
    'nome > denominazione|persona|nominativo',
  ],
  pt: [
    'número|n.º|nº > ref.ª|código|registo|identificador',
    'data > dia|em|emitido a|de',
    'fatura > documento|conta|nota',
    'cliente > comprador|destinatário|utente|assinante',
    'total|valor > soma|a liquidar|montante|importância',
    'vencimento > prazo|até ao dia|limite',
    'encomenda > pedido|ordem|requisição',
    'morada > local|sede|residência|endereço',
    'conta > contrato|relação|cta.',
    'período > intervalo|meses|tempo',
    'nome > denominação|pessoa|designação',
  ],
  nl: [
    'nummer|nr. > kenmerk|code|volgnr.|id',
    'datum > dag|d.d.|opgemaakt|per',
    'factuur > rekening|nota|declaratie|document',
    'klant > afnemer|opdrachtgever|koper|relatie',
    'totaal|bedrag > som|te voldoen|waarde|alles bij elkaar',
    'vervaldatum > uiterlijk|te voldoen voor|termijn',
    'order|bestelling > opdracht|aanvraag|project',
    'adres > locatie|plaats|vestiging|woonplaats',
    'rekening > rek.|contract|relatie',
    'periode > tijdvak|maanden|looptijd',
    'naam > benaming|persoon|genaamd',
  ],
};

/** What captions are extended by. */
const extensions: Readonly<
  Record<Language, { readonly before: readonly string[]; readonly after: readonly string[] }>
> = {
  en: {
    before: ['Your', 'Our', 'The', 'Stated', 'Applicable'],
    after: ['(see overleaf)', '(as registered)', '*', 'here'],
  },
  de: { before: ['Ihre', 'Unser', 'Angegeben:', 'Zugehörig:'], after: ['(siehe Rückseite)', 'lt. Vertrag', '*'] },
  fr: { before: ['Votre', 'Notre', 'Selon'], after: ['(voir au dos)', '(selon contrat)', '*'] },
  es: { before: ['Su', 'Nuestro', 'Según'], after: ['(ver dorso)', '(según contrato)', '*'] },
  it: { before: ['Vostro', 'Nostro', 'Come da'], after: ['(vedi retro)', '(da contratto)', '*'] },
  pt: { before: ['O seu', 'O nosso', 'Conforme'], after: ['(ver verso)', '(do contrato)', '*'] },
  nl: { before: ['Uw', 'Onze', 'Volgens'], after: ['(zie achterzijde)', '(volgens contract)', '*'] },
};

const replacements: Readonly<Record<Language, ReadonlyMap<string, readonly string[]>>> = (() => {
  const made = Object.entries(synonyms).map(([language, groups]) => {
    const byWord = new Map<string, readonly string[]>();
    for (const group of groups) {
      const [known, others] = group.split(' > ').map((part) => part.split('|'));
      for (const word of known!) byWord.set(word, others!);
    }
    return [language, byWord] as const;
  });
  return Object.fromEntries(made) as unknown as Record<Language, ReadonlyMap<string, readonly string[]>>;
})();

/** Makes the habits of one document: how often it abbreviates, paraphrases and does without captions. */
export function createRephraser(language: Language, random: Random): Rephraser {
  const absent = random.pick([0, 0.05, 0.12, 0.3]);
  const reworded = random.pick([0.15, 0.5, 0.8]);
  const shortened = random.pick([0, 0, 0.15, 0.6]);
  const extended = random.pick([0, 0.05, 0.2]);
  const capitals = random.chance(0.25);
  const turned = random.chance(0.2);
  const reword = (word: string) => {
    const bare = word.toLowerCase().replace(/[:.]$/, '');
    const others = replacements[language].get(word.toLowerCase()) ?? replacements[language].get(bare);
    if (!others || !random.chance(reworded)) return word;
    const other = random.pick(others);
    return /^\p{Lu}/u.test(word) ? `${other[0]!.toUpperCase()}${other.slice(1)}` : other;
  };
  const shorten = (word: string) => {
    if (word.length < 6 || !/^\p{L}+$/u.test(word)) return word;
    return random.chance(0.6)
      ? `${word.slice(0, random.integer(3, 4))}.`
      : `${word[0]}${word.slice(1).replace(/[aeiouäöüáéíóúàèê]/giu, '')}`;
  };
  return {
    rephrase(caption) {
      if (random.chance(absent)) return '';
      let words = caption.split(' ').map(reword);
      if (turned && words.length === 2) words = [words[1]!, words[0]!];
      if (random.chance(shortened)) words = words.map(shorten);
      const { before, after } = extensions[language];
      if (random.chance(extended))
        words = random.chance(0.5) ? [random.pick(before), ...words] : [...words, random.pick(after)];
      const text = words.join(' ');
      return capitals ? text.toUpperCase() : text;
    },
  };
}
