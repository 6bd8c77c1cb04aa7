import type { SecurityEvent } from '../../identity/auth/realm.ts';
import type { MailTexts } from './texts.ts';

const events: Readonly<Record<SecurityEvent, string>> = {
  password_changed: 'Ihr Passwort wurde geändert',
  codes_on: 'Einmalcodes wurden für Ihr Konto eingeschaltet',
  codes_off: 'Einmalcodes wurden für Ihr Konto ausgeschaltet',
};

const unexpected = 'Wenn Sie das nicht waren, können Sie diese E-Mail ignorieren.';

export const de: MailTexts = {
  confirmRegistration: (portal, link, hours) => ({
    subject: `Bestätigen Sie Ihre E-Mail-Adresse für ${portal}`,
    text: [
      `Jemand, vermutlich Sie, hat sich mit dieser E-Mail-Adresse im Entwicklerportal von ${portal} registriert.`,
      `Öffnen Sie diesen Link innerhalb von ${hours} Stunden, um die Adresse zu bestätigen:\n${link}`,
      `${unexpected} Ohne Ihre Bestätigung wird kein Konto angelegt.`,
    ].join('\n\n'),
  }),
  accountExists: (portal, signInLink, resetLink) => ({
    subject: `Sie haben bereits ein Konto bei ${portal}`,
    text: [
      `Jemand, vermutlich Sie, wollte sich mit dieser E-Mail-Adresse im Entwicklerportal von ${portal} registrieren. Zu ihr gibt es bereits ein Konto.`,
      `Anmelden:\n${signInLink}`,
      `Ein neues Passwort festlegen, falls Sie Ihres vergessen haben:\n${resetLink}`,
      unexpected,
    ].join('\n\n'),
  }),
  askOwner: (portal) => ({
    subject: `Ihre E-Mail-Adresse wird bei ${portal} bereits verwendet`,
    text: [
      `Jemand, vermutlich Sie, wollte sich mit dieser E-Mail-Adresse im Entwicklerportal von ${portal} registrieren. Sie gehört zu einem Entwicklerkonto, in dem sich andere Personen anmelden.`,
      'Bitten Sie einen Inhaber dieses Kontos um eine Einladung.',
      unexpected,
    ].join('\n\n'),
  }),
  awaitsApproval: (portal) => ({
    subject: `Ihre Registrierung bei ${portal} wartet auf Freigabe`,
    text: [
      `Sie haben Ihre Registrierung im Entwicklerportal von ${portal} bestätigt. Sie muss noch freigegeben werden.`,
      'Sobald darüber entschieden ist, erhalten Sie eine E-Mail. Sie müssen nichts weiter tun.',
    ].join('\n\n'),
  }),
  approved: (portal, signInLink) => ({
    subject: `Willkommen im Entwicklerportal von ${portal}`,
    text: [
      `Ihre Registrierung im Entwicklerportal von ${portal} wurde freigegeben.`,
      `Melden Sie sich mit Ihrer E-Mail-Adresse und dem von Ihnen gewählten Passwort an:\n${signInLink}`,
    ].join('\n\n'),
  }),
  rejected: (portal, reason) => ({
    subject: `Ihre Registrierung bei ${portal}`,
    text: [
      `Ihre Registrierung im Entwicklerportal von ${portal} wurde nicht freigegeben.`,
      `Begründung: ${reason}`,
    ].join('\n\n'),
  }),
  invitation: (portal, inviter, link, days) => ({
    subject: `Einladung in das Entwicklerportal von ${portal}`,
    text: [
      inviter === null
        ? `${portal} lädt Sie in ein Entwicklerkonto im Entwicklerportal ein.`
        : `${inviter} lädt Sie in das eigene Entwicklerkonto im Entwicklerportal von ${portal} ein.`,
      `Öffnen Sie diesen Link innerhalb von ${days} Tagen, um die Einladung anzunehmen und ein Passwort zu wählen:\n${link}`,
      'Wenn Sie keine Einladung erwarten, können Sie diese E-Mail ignorieren.',
    ].join('\n\n'),
  }),
  reset: (portal, link, minutes) => ({
    subject: 'Neues Passwort festlegen',
    text: [
      `Jemand, vermutlich Sie, möchte das Passwort Ihres Kontos im Entwicklerportal von ${portal} zurücksetzen.`,
      `Öffnen Sie diesen Link innerhalb von ${minutes} Minuten, um ein neues zu wählen:\n${link}`,
      'Wenn Sie das nicht waren, müssen Sie nichts tun: Ihr Passwort ist unverändert.',
    ].join('\n\n'),
  }),
  failedSignIns: (portal, address, link) => ({
    subject: 'Fehlgeschlagene Anmeldungen in Ihrem Konto',
    text: [
      `Mehrere Anmeldungen in Ihrem Konto im Entwicklerportal von ${portal} sind fehlgeschlagen, zuletzt von der Adresse ${address}.`,
      'Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht: Ihr Passwort wurde nicht erraten, und jeder weitere Versuch muss länger warten. Geräte, auf denen Sie schon angemeldet waren, müssen nicht warten.',
      `Wenn Sie auf einem neuen Gerät warten müssen oder dieses Passwort auch anderswo verwenden, legen Sie ein neues fest:\n${link}`,
    ].join('\n\n'),
  }),
  security: (portal, event) => ({
    subject: events[event],
    text: [
      `${events[event]}, im Entwicklerportal von ${portal}.`,
      `Wenn Sie das nicht waren, legen Sie sofort ein neues Passwort fest und bitten Sie ${portal}, Ihr Konto zu sperren.`,
    ].join('\n\n'),
  }),
};
