import type { MediaType } from '@millrace/document-model';

/** What names end in, by what the file is; the first is given where a name has another end. */
const ends: Readonly<Record<MediaType, readonly [string, ...string[]]>> = {
  'application/pdf': ['.pdf'],
  'image/png': ['.png'],
  'image/jpeg': ['.jpg', '.jpeg', '.jpe', '.jfif'],
  'image/tiff': ['.tif', '.tiff'],
};

/** An end of a name that a system takes for a type. What begins with a digit, as in `Invoice 3.2026`, is none. */
const typeEnd = /\.[a-z][a-z0-9_-]{0,9}$/i;
/** Bytes of UTF-8. File systems take 255; what saves a file a second time adds to its name. */
const longestBytes = 200;
/** Names of devices on Windows, whatever they end in. */
const device = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)/i;

/**
 * A stranger's name of a file as it is kept, shown and given out again: its last part, without what a file system, a
 * terminal or a line of text would act upon: controls, marks that change the direction of text or cannot be seen, marks
 * of paths, leading dots, names of devices.
 *
 * @param mediaType the file's type by its content, which becomes the name's extension; null for any other type, which keeps
 *   its name
 */
export function keptFileName(name: string, mediaType: MediaType | null): string {
  const last = name.normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const plain = last
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\ufffd]/gu, '')
    .replaceAll(/[\p{Z}]+/gu, ' ')
    .replaceAll(/[<>:"|?*]/g, '_')
    .replace(/^[. ]+/, '')
    .replace(/[. ]+$/, '');
  const { stem, end } = mediaType === null ? { stem: plain, end: '' } : split(plain, mediaType);
  const whole = stem === '' ? 'document' : device.test(stem) ? `_${stem}` : stem;
  return shortened(whole, longestBytes - end.length) + end;
}

function split(name: string, mediaType: MediaType): { stem: string; end: string } {
  const [given = ''] = typeEnd.exec(name) ?? [];
  const own = ends[mediaType];
  // Several ends, as in `invoice.hta.pdf`, are shown without the last one by systems that hide what they know.
  let stem = name.slice(0, name.length - given.length);
  while (runnable.test(stem)) stem = stem.replace(runnable, '');
  return { stem: stem.replace(/[. ]+$/, ''), end: own.includes(given.toLowerCase()) ? given : own[0] };
}

/** Ends that systems run, or open in what runs them. */
const runnable =
  /\.(app|apk|appx|bat|chm|cmd|com|cpl|desktop|dll|exe|hta|html?|iso|jar|jse?|lnk|mht|msi|mjs|php|ps1|py|reg|scf|scr|sh|svg|url|vbe?|vbs|wsf|xht(ml)?|xml)$/i;

/** The start of a name within this many bytes, cut between characters. */
function shortened(name: string, limitBytes: number): string {
  let bytes = 0;
  let short = '';
  for (const { segment } of new Intl.Segmenter().segment(name)) {
    bytes += Buffer.byteLength(segment);
    if (bytes > limitBytes) break;
    short += segment;
  }
  return short.trimEnd() || 'document';
}

/**
 * The header `Content-Disposition` of a download (RFC 6266): the name in ASCII for those who know nothing else, and as
 * it is (RFC 8187).
 */
export function downloadDisposition(fileName: string, mediaType: MediaType): string {
  const name = keptFileName(fileName, mediaType);
  const ascii = keptFileName(
    name
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .replaceAll(/[^\x20-\x7e]|[%\\"]/g, '_'),
    mediaType,
  );
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (character) => `%${hexadecimal(character)}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

function hexadecimal(character: string): string {
  return character.charCodeAt(0).toString(16).toUpperCase();
}
