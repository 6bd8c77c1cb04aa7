import type { Layout } from '@millrace/document-model';
import { foldText } from '../../candidates/date.ts';
import { hasGivenName } from '../../compose/given-names.ts';
import { isOrganizationName, isPersonName } from '../../compose/names.ts';
import type { Prose } from '../../compose/prose.ts';
import { neighboursOf } from '../../layout/neighbours.ts';
import { definitionsLength } from './defined-parties.ts';
import { isCompany, type Party, partyOfLine } from './party-name.ts';

const signatureMark = /\/s\//i;

/** Whether a contract bears typed signatures: `/s/ Jane Doe`. */
export function isSigned(layout: Layout): boolean {
  return layout.lines.slice(0, 5_000).some(({ text }) => signatureMark.test(text));
}

/** What one who promises something to a company writes, or reads of themselves. */
const personal =
  /(?<!\p{L})(?:condition of my|my (?:own )?(?:employment|relationship|engagement)|(?:granted|paid|made available) to me|I (?:hereby )?(?:agree|understand|acknowledge)|as an? (?:associate|employee) of [^.]{3,60}you|employment of the undersigned)(?!\p{L})/iu;

const signed = /^(?:by:? |date:? )?\/s\/ (?=\p{Lu})|^(?:printed |print )?name(?: of employee)?: (?=\p{Lu})/iu;

/** What stands over the signature of a witness, or of who signs for the company. */
const signsForOther = /^(?:witness(?:es|ed by)?|for the company)\s*:?$/iu;

/** The person who signs what is written in the first person, and holds no office for it. */
export function promisers(layout: Layout, prose: Prose): readonly Party[] {
  if (!personal.test(prose.text.slice(0, definitionsLength))) return [];
  const lines = layout.lines.slice(-signatureLines);
  return lines.flatMap((line, index) => {
    const mark = signed.exec(line.text)?.[0];
    if (mark === undefined || lines.slice(index + 1, index + 3).some(({ text }) => heldOffice.test(text))) return [];
    if (lines.slice(Math.max(0, index - 2), index).some(({ text }) => signsForOther.test(text) || isCompany(text)))
      return [];
    const name = line.text.slice(mark.length);
    const isPrinted = lines.some(({ text }) => foldText(text) === foldText(name));
    return isPersonName(name) && (isPrinted || hasGivenName(name)) ? partyOfLine(line, prose, mark.length) : [];
  });
}

/** Lines of the last pages among which signatures stand. */
const signatureLines = 120;

const signingRole =
  /^(?:employee|executive|consultant|contractor|participant|associate|director|recipient|tenant|landlord|buyer|seller)(?:\s*:\s*|$)/i;

/** Who signs in this role signs for themselves, whatever office stands below. */
const ownSignature = /^(?:employee|executive|participant|associate)\s*:?$/i;

const heldOffice = /^(?:title|its)\b|president|officer|director|secretary|chair|manager|counsel|treasurer|witness/i;

const office = /president|officer|director|secretary|chair|manager|title|partner|counsel|treasurer|witness/i;

/** Who signs: the company above its signature line, the person below a role such as `Employee`. */
export function signingParties(layout: Layout, prose: Prose): readonly Party[] {
  const lines = layout.lines.slice(-signatureLines);
  return lines.flatMap((line, index) => {
    const following = lines.slice(index + 1, index + 5).map(({ text }) => text);
    if (
      isOrganizationName(line.text) === 'legal_form' &&
      following.slice(0, 2).some((text) => /^by\b|^\/s\//i.test(text))
    ) {
      return partyOfLine(line, prose);
    }
    const caption = signingRole.exec(line.text);
    if (!caption) return [];
    const behind = line.text.slice(caption[0].length);
    if (isPersonName(behind)) return partyOfLine(line, prose, caption[0].length);
    const [name, ...under] = following;
    if (
      name !== undefined &&
      isPersonName(name) &&
      hasGivenName(name) &&
      !under.slice(0, 2).some((text) => office.test(text))
    )
      return partyOfLine(lines[index + 1]!, prose);
    const own = ownSignature.test(line.text) ? neighboursOf(layout, line).below : null;
    const ownMark = signed.exec(own?.text ?? '')?.[0].length;
    if (own && ownMark !== undefined && isPersonName(own.text.slice(ownMark))) return partyOfLine(own, prose, ownMark);
    const signedAt = lines.findIndex(
      ({ text }, other) => other > index && other <= index + 4 && /^(?:by:? )?\/s\/ ./i.test(text),
    );
    const signature = lines[signedAt];
    if (!signature || lines.slice(signedAt + 1, signedAt + 3).some(({ text }) => office.test(text))) return [];
    const [mark] = /^(?:by:? )?\/s\/ /i.exec(signature.text)!;
    return isPersonName(signature.text.slice(mark.length)) ? partyOfLine(signature, prose, mark.length) : [];
  });
}
