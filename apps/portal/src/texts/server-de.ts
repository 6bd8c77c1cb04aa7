/** What the server says in English to users of the portal; anything else is shown as it is. */
const sentences: Readonly<Record<string, string>> = {
  'Correct the fields listed in errors.': 'Prüfen Sie die markierten Felder.',
  'Sign in, or send a service account’s token as Authorization: Bearer.': 'Melden Sie sich an.',
  'The e-mail address, the password or the one-time code is wrong.':
    'E-Mail-Adresse, Passwort oder Einmalcode ist falsch.',
  'Not found.': 'Nicht gefunden.',
  'This isn’t possible in the current state.': 'Das ist im jetzigen Zustand nicht möglich.',
  'Someone changed this since you read it. Reload it and repeat your change.':
    'Das wurde inzwischen geändert. Laden Sie die Seite neu, und wiederholen Sie Ihre Änderung.',
  'Wait for the time in Retry-After, then try again.':
    'Zu viele Versuche. Warten Sie etwas, und versuchen Sie es noch einmal.',
  'Something failed on our side. Nothing was changed. Try again.':
    'Auf dem Server ist ein Fehler aufgetreten. Es wurde nichts geändert; versuchen Sie es noch einmal.',
  'The service is busy or starting. Try again after the time in Retry-After.':
    'Der Dienst ist gerade nicht verfügbar. Versuchen Sie es gleich noch einmal.',
  "The last active owner of a developer account can't be removed. Make someone else an owner first.":
    'Der letzte aktive Inhaber des Kontos kann nicht entfernt werden. Machen Sie zuerst jemand anderen zum Inhaber.',
  'Accept the terms to register.': 'Stimmen Sie den Bedingungen zu, um sich zu registrieren.',
  'Can’t be empty.': 'Darf nicht leer sein.',
  'Required.': 'Erforderlich.',
  'Choose at least 12 characters.': 'Wählen Sie mindestens 12 Zeichen.',
  'Choose a password other than the current one.': 'Wählen Sie ein anderes als das bisherige Passwort.',
  'Enter an e-mail address, such as name@example.com.': 'Geben Sie eine E-Mail-Adresse wie name@example.com ein.',
  'Enter the 6 digits from your authenticator app, or a recovery code.':
    'Geben Sie die 6 Ziffern aus Ihrer Authenticator-App oder einen Wiederherstellungscode ein.',
  'Enter the password that you chose when you registered.':
    'Geben Sie das Passwort ein, das Sie bei der Registrierung gewählt haben.',
  'Give 6 digits.': 'Geben Sie 6 Ziffern ein.',
  'This password is wrong.': 'Dieses Passwort ist falsch.',
  'This code is wrong. Check the clock of your device.': 'Dieser Code ist falsch. Prüfen Sie die Uhr Ihres Geräts.',
  'This code is wrong or was already used. Wait for the next one.':
    'Dieser Code ist falsch oder schon verwendet. Warten Sie auf den nächsten.',
  'This is not a token of a link.': 'Dieser Link ist unvollständig.',
  'This link was already used or is older than an hour. Request a new one.':
    'Dieser Link wurde schon verwendet oder ist älter als eine Stunde. Fordern Sie einen neuen an.',
  'This person already signs in to the developer account.': 'Diese Person gehört schon zum Konto.',
  'This developer portal doesn’t accept registrations. Ask its organization for an invitation.':
    'Dieses Portal nimmt keine Registrierungen an. Bitten Sie um eine Einladung.',
  'This sign-in didn’t begin in this browser, was finished already, or took too long. Start again.':
    'Diese Anmeldung begann nicht in diesem Browser, ist schon abgeschlossen oder dauerte zu lange. Beginnen Sie neu.',
  'You signed out meanwhile. Sign in again, then link your account.':
    'Sie haben sich inzwischen abgemeldet. Melden Sie sich wieder an, und verknüpfen Sie dann Ihr Konto.',
  'Your account here is suspended or was removed. Ask your administrator.':
    'Ihr Konto ist gesperrt oder wurde entfernt. Fragen Sie Ihren Administrator.',
  'You have no account here. Ask your company’s owner for an invitation.':
    'Sie haben hier kein Konto. Bitten Sie den Inhaber des Kontos Ihrer Firma um eine Einladung.',
  'Your registration awaits approval. You will get an e-mail.':
    'Ihre Registrierung wartet auf Freigabe. Sie erhalten eine E-Mail.',
  'Your e-mail address isn’t one of your company’s. Ask your administrator.':
    'Ihre E-Mail-Adresse gehört nicht zu Ihrer Firma. Fragen Sie Ihren Administrator.',
  'Your identity provider hasn’t verified your e-mail address. Ask your administrator.':
    'Ihr Identitätsanbieter hat Ihre E-Mail-Adresse nicht bestätigt. Fragen Sie Ihren Administrator.',
  'No billing period is open yet. Try again in a minute.':
    'Noch ist kein Abrechnungszeitraum eröffnet. Versuchen Sie es in einer Minute noch einmal.',
  'Must start with https:// or http://.': 'Muss mit https:// oder http:// beginnen.',
  'Must be a country code of ISO 3166, such as DE.': 'Muss ein Ländercode nach ISO 3166 sein, etwa DE.',
  'Must be a VAT number with its country code, such as DE123456789.':
    'Muss eine USt-IdNr. mit Ländercode sein, etwa DE123456789.',
};

/** Sentences that name something. */
const patterns: readonly (readonly [RegExp, (named: string) => string])[] = [
  [/^Must have at most (\d+) characters\.$/, (most) => `Höchstens ${most} Zeichen.`],
  [
    /^Your company doesn’t allow passwords here\. Choose “Sign in with (.+)”\.$/,
    (provider) => `Ihre Firma erlaubt hier keine Passwörter. Wählen Sie „Mit ${provider} anmelden“.`,
  ],
  [
    /^(\S+) has an account already\. Sign in with its password, and link it under Security\.$/,
    (email) =>
      `${email} hat schon ein Konto. Melden Sie sich mit dessen Passwort an, und verknüpfen Sie es unter Sicherheit.`,
  ],
  [
    /^Another user is linked to this account at (.+)\. Sign in there as yourself\.$/,
    (provider) =>
      `Ein anderer Benutzer ist mit diesem Konto bei ${provider} verknüpft. Melden Sie sich dort selbst an.`,
  ],
];

/** The German for a sentence of the server. */
export function serverText(message: string): string {
  const known = sentences[message];
  if (known !== undefined) return known;
  for (const [pattern, german] of patterns) {
    const named = pattern.exec(message)?.[1];
    if (named !== undefined) return german(named);
  }
  return message;
}
