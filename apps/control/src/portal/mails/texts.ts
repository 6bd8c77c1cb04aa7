import type { MailText } from '@millrace/sign-in/mails';
import type { SecurityEvent } from '../../identity/auth/realm.ts';

/**
 * The developer portal’s e-mails in one language. None contains free text of people whose address isn’t confirmed:
 * registration and invitations could otherwise send anything to anybody.
 */
export interface MailTexts {
  /** @param link works once */
  confirmRegistration(portal: string, link: string, hours: number): MailText;
  accountExists(portal: string, signInLink: string, resetLink: string): MailText;
  /** The address belongs to a developer account that others sign in to. */
  askOwner(portal: string): MailText;
  awaitsApproval(portal: string): MailText;
  approved(portal: string, signInLink: string): MailText;
  rejected(portal: string, reason: string): MailText;
  /**
   * @param inviter e-mail address of the owner who invites; null: the organization does
   * @param link works once
   */
  invitation(portal: string, inviter: string | null, link: string, days: number): MailText;
  /** @param link works once */
  reset(portal: string, link: string, minutes: number): MailText;
  /** @param link to request a new password */
  failedSignIns(portal: string, address: string, link: string): MailText;
  security(portal: string, event: SecurityEvent): MailText;
}
