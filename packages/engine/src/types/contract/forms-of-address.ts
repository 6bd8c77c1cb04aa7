import { isPersonName } from '../../compose/names.ts';

/** How people are addressed before their names. */
export const addresses =
  'D\\.?\\/D[ñÑnN][aA]|Frau|Herrn?|Mr|Mrs|Ms|Miss|MR|MRS|MS|MISS|Don|DON|Sig(?:\\.?ra|\\.?na)?|Dott(?:\\.?ssa)?|M(?=\\.)|Mme|Mlle|Monsieur|Madame|D(?=\\.)|Do[ñn]a|D[ñn]a|D[ªa](?=\\.? )|Sra?|SRA?|Lic|Ing|LIC|ING|[Mm]evrouw|[Mm]evr(?=\\.)|(?:[Dd]e )?[Hh]eer|[Dd]hr(?=\\.)|Sh?ri|SH?RI|Smt|SMT|Kum(?=\\.)';

const addressBefore = new RegExp(`^(?:${addresses})\\.? (?=\\p{Lu})`, 'u');

/** A person's name without a form of address before it. */
export function withoutAddress(name: string): string {
  const bare = name.replace(addressBefore, '');
  return isPersonName(bare) ? bare : name;
}

/** A form of address right before a name. */
export const addressed = new RegExp(`(?<!\\p{L})(?:${addresses})\\.? $`, 'u');
