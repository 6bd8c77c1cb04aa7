import { foldText } from '../candidates/date.ts';
import { matchesOf } from '../candidates/matches.ts';
import { scoresByScript } from './script.ts';

/** Frequent words of each language, and words that its invoices, receipts and letters are made of; lower case, no accents. */
const wordsByLanguage: Readonly<Record<string, string>> = {
  en: 'the and of to in is for on with that this you your be are by from or as at we our please thank thanks not will have has all any invoice date total amount due number bill ship payment tax quantity price description subtotal order customer address phone cash change receipt balance account statement page terms item items sold goods returnable received employee employer name tax table card net pay period report test result patient birth day days upon delivery license licence driver driving class sex eyes hair height issued expires expiry restrictions endorsements surname given names nationality place issue authority passport identity identification permit resident united states',
  de: 'der die das und ist von zu mit fur auf den dem des ein eine einen einer eines nicht im am bei nach uber aus wir sie ihr ihre ihnen unsere unser wird werden zum zur rechnung datum summe betrag gesamt gesamtbetrag nummer nr menge preis bezeichnung kunde kundennummer mwst ust netto brutto zahlbar lieferung lieferdatum tage innerhalb bitte vielen dank steuer steuernummer konto kontonummer bank seite zahlung leistung einzelpreis rechnungsnummer rechnungsdatum telefon strasse gmbh geschaftsfuhrer stuck enthalten gehalt arbeitgeber reisepass personalausweis fuhrerschein vornamen vorname nachname staatsangehorigkeit geburtstag geburtsdatum geschlecht geburtsort ausstellungsdatum gultig behorde anschrift leiter vertrieb mobil inhaber',
  fr: 'le la les des du de un une et est pour par sur avec dans que qui en au aux nous vous votre notre vos nos ne pas ce cette facture date montant total numero quantite prix designation client tva ht ttc paiement adresse reglement echeance merci livraison commande unitaire societe compte page telephone siret conditions jours remise net payer especes rue reference passeport nom prenoms prenom nationalite naissance sexe lieu delivrance expiration autorite carte identite permis conduire domicile gerant gerante portable directeur directrice',
  es: 'el la los las de del y es para por con en que un una se su sus al lo como no nos factura fecha importe total numero cantidad precio descripcion cliente iva pago direccion gracias pedido unidad base imponible cuenta pagina telefono cif nif vencimiento condiciones dias entrega concepto calle subtotal efectivo cambio referencia nombre empresa pasaporte apellidos nacionalidad nacimiento sexo lugar expedicion caducidad autoridad domicilio tarjeta contrato presente movil jefe jefa ventas',
  it: 'il lo la i gli le di del della dei delle e un una per con da in su che non si al alla dal nel fattura data importo totale numero quantita prezzo descrizione cliente iva pagamento indirizzo grazie ordine unita imponibile conto pagina telefono partita codice fiscale scadenza condizioni giorni via euro contanti resto banca spett ditta consegna passaporto cognome nome cittadinanza nascita sesso luogo rilascio autorita patente residenza cellulare direttore responsabile vendite',
  pt: 'o a os as de do da dos das e um uma para por com em que nao se no na nos nas ao sua seu fatura data valor total numero quantidade preco descricao cliente iva pagamento endereco obrigado pedido unidade conta pagina telefone nif contribuinte vencimento condicoes dias morada rua encomenda desconto codigo empresa nome passaporte apelidos nomes nacionalidade nascimento sexo local emissao validade autoridade cartao residencia talao troco numerario multibanco processado certificado operador consumidor dinheiro isento incidencia telemovel diretor diretora vendas',
  nl: 'de het een en van in op te is voor met dat die niet aan er om ook als bij uit naar uw ons onze wij u wordt factuur datum bedrag totaal nummer aantal prijs omschrijving klant btw betaling adres dank bestelling stuk rekening pagina telefoon kvk vervaldatum voorwaarden dagen binnen klantnummer factuurnummer factuurdatum straat subtotaal contant wisselgeld gelieve inclusief exclusief leverdatum paspoort achternaam voornamen nationaliteit geboortedatum geslacht geboorteplaats afgifte geldig autoriteit rijbewijs naam',
  ms: 'dan yang untuk dengan di ke dari ini itu adalah pada tidak anda kami sila terima kasih jumlah tarikh resit harga tunai baki cukai barang bilangan nombor alamat kedai kepada telah atau oleh akan boleh semua datang lagi sekali dijual dikembalikan',
  pl: 'i w na z do nie to jest dla przez od po faktura data kwota razem numer ilosc cena nazwa klient podatek nabywca sprzedawca termin platnosci sztuk netto brutto wartosc stawka vat konto adres ul paragon fiskalny sprzedaz opodatkowana ptu suma gotowka reszta kasjer sklep karta platnicza dziekujemy zapraszamy',
  sv: 'och att det som en av for pa ar med till den inte ett om faktura datum belopp summa antal pris beskrivning kund moms betalning adress tack forfallodatum att betala kvitto kvittonr totalt varor mottaget kort oppet kop valkommen ater butik oresavrundning kontrollenhet kassor',
  da: 'og at det som en af for pa er med til den ikke et om faktura dato belob sum antal pris beskrivelse kunde moms betaling adresse tak forfaldsdato ialt kvittering bonnr heraf dankort byttepenge velkommen igen ekspedient afrunding',
};

const weights: ReadonlyMap<string, readonly (readonly [language: string, weight: number])[]> = (() => {
  const languagesOf = new Map<string, string[]>();
  for (const [language, words] of Object.entries(wordsByLanguage)) {
    for (const word of new Set(words.split(' '))) {
      const languages = languagesOf.get(word);
      if (languages) languages.push(language);
      else languagesOf.set(word, [language]);
    }
  }
  // A word that several languages share says less of each of them; one of a single letter hardly anything.
  return new Map(
    [...languagesOf].map(([word, languages]) => [
      word,
      languages.map((language) => [language, (word.length === 1 ? 0.2 : 1) / languages.length] as const),
    ]),
  );
})();

/** A text without mail and web addresses, whose ends are words of languages: `com`, `it`. */
function withoutDomains(text: string): string {
  if (!/[@.]\p{L}|@ /u.test(text)) return text;
  return text.replace(
    /(?<!\S)\S*@ ?\S+|(?<![\p{L}\d-])[\p{L}\d-]{2,}\.(?:com|net|org|info|de|fr|es|it|pt|nl|eu|co|uk|at|ch|be|pl)(?![\p{L}\d])/giu,
    ' ',
  );
}

/** How much a text speaks for each language, by the words it is made of; the best first, languages without any evidence left out. */
export function languageScores(texts: readonly string[]): readonly (readonly [language: string, score: number])[] {
  const scores = new Map(scoresByScript(texts));
  for (const text of texts) {
    for (const [word] of matchesOf(/\p{L}+/gu, foldText(withoutDomains(text)))) {
      for (const [language, weight] of weights.get(word) ?? [])
        scores.set(language, (scores.get(language) ?? 0) + weight);
    }
  }
  return [...scores].sort((a, b) => b[1] - a[1]);
}
