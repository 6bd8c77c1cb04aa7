import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { downloadDisposition, keptFileName } from './file-name.ts';

const pdf = 'application/pdf';

describe('the name of a stranger’s file', () => {
  test('ends in what the file is', () => {
    for (const [given, kept] of [
      ['invoice.pdf', 'invoice.pdf'],
      ['Invoice.PDF', 'Invoice.PDF'],
      ['invoice.hta', 'invoice.pdf'],
      ['invoice.pdf.exe', 'invoice.pdf.pdf'],
      ['invoice.hta.pdf', 'invoice.pdf'],
      ['invoice.lnk.hta.pdf', 'invoice.pdf'],
      ['invoice', 'invoice.pdf'],
      ['Invoice 3.2026', 'Invoice 3.2026.pdf'],
      ['invoice.pdf . .', 'invoice.pdf'],
      ['.pdf', 'pdf.pdf'],
      ['', 'document.pdf'],
    ] as const) {
      assert.equal(keptFileName(given, pdf), kept, given);
    }
    assert.equal(keptFileName('scan.JPEG', 'image/jpeg'), 'scan.JPEG');
    assert.equal(keptFileName('scan.pdf', 'image/png'), 'scan.png');
    assert.equal(keptFileName('terms.docx', null), 'terms.docx');
  });

  test('has nothing that a path, a terminal or a line of text acts upon', () => {
    for (const [given, kept] of [
      ['invoice\u202efdp.exe', 'invoicefdp.pdf'],
      ['in\u200bvoice\u2066\ufeff.pdf', 'invoice.pdf'],
      ['../../etc/passwd', 'passwd.pdf'],
      ['C:\\Users\\a\\invoice.pdf', 'invoice.pdf'],
      ['...bashrc', 'bashrc.pdf'],
      ['a\r\nX-Evil: 1.pdf', 'aX-Evil_ 1.pdf'],
      ['a"b<c>d|e?f*g:h.pdf', 'a_b_c_d_e_f_g_h.pdf'],
      ['a\u2028b\u00a0c.pdf', 'a b c.pdf'],
      ['CON.pdf', '_CON.pdf'],
      ['lpt1', '_lpt1.pdf'],
      ['nul.2.pdf', '_nul.2.pdf'],
      ['console.pdf', 'console.pdf'],
      ['\ud800', 'document.pdf'],
      ['Rechnung März 一月.pdf', 'Rechnung März 一月.pdf'],
    ] as const) {
      assert.equal(keptFileName(given, pdf), kept, JSON.stringify(given));
      assert.equal(keptFileName(kept, pdf), kept, 'a kept name stays as it is');
    }
  });

  test('is cut between characters where it is too long, and keeps its end', () => {
    const kept = keptFileName(`${'é'.repeat(400)}.pdf`, pdf);
    assert.equal(kept, `${'é'.repeat(98)}.pdf`);
    assert.equal(keptFileName(`${'👨‍👩‍👧'.repeat(100)}.png`, 'image/png').endsWith('.png'), true);
    assert.ok(Buffer.byteLength(keptFileName('a'.repeat(999), null)) <= 200);
  });

  test('stands in the header of a download in both its forms', () => {
    assert.equal(
      downloadDisposition('Rechnung „März“ (1).hta', pdf),
      `attachment; filename="Rechnung _Marz_ (1).pdf"; filename*=UTF-8''Rechnung%20%E2%80%9EM%C3%A4rz%E2%80%9C%20%281%29.pdf`,
    );
    for (const hostile of ['a"; filename=evil.exe; x="', 'a\\".exe', '%41.exe', 'a\r\nSet-Cookie: a=b', "'*()"]) {
      assert.match(
        downloadDisposition(hostile, pdf),
        /^attachment; filename="[^"\\%\r\n]+\.pdf"; filename\*=UTF-8''[A-Za-z0-9._~!$&+^`|%-]+\.pdf$/,
        hostile,
      );
    }
  });
});
