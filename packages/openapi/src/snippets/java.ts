import { type FormPart, indented, literal, type SnippetRequest } from './request.ts';

/** With `java.net.http`, from Java 11 on. */
export function writeJava({ method, url, headers, body }: SnippetRequest): string {
  const isForm = body?.kind === 'multipart';
  const publisher =
    body === null
      ? 'HttpRequest.BodyPublishers.noBody()'
      : isForm
        ? 'HttpRequest.BodyPublishers.ofByteArray(form.toByteArray())'
        : `HttpRequest.BodyPublishers.ofString(${literal(body.text)})`;
  const call = [
    `HttpRequest request = HttpRequest.newBuilder(URI.create(${literal(url)}))`,
    `    .method(${literal(method)}, ${publisher})`,
    ...headers.map(({ name, value }) => `    .header(${literal(name)}, ${literal(value)})`),
    ...(isForm ? ['    .header("content-type", "multipart/form-data; boundary=" + boundary)'] : []),
    '    .build();',
    'HttpResponse<String> response =',
    '    HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());',
    'System.out.println(response.statusCode() + " " + response.body());',
  ];
  return [
    ...(isForm ? ['import java.io.ByteArrayOutputStream;'] : []),
    'import java.net.URI;',
    'import java.net.http.HttpClient;',
    'import java.net.http.HttpRequest;',
    'import java.net.http.HttpResponse;',
    ...(isForm ? ['import java.nio.file.Files;', 'import java.nio.file.Path;', 'import java.util.UUID;'] : []),
    '',
    'class Example {',
    '    public static void main(String[] args) throws Exception {',
    ...indented([...(isForm ? formOf(body.parts) : []), ...call], '        '),
    '    }',
    '}',
  ].join('\n');
}

function formOf(parts: readonly FormPart[]): readonly string[] {
  return [
    'String boundary = UUID.randomUUID().toString();',
    'ByteArrayOutputStream form = new ByteArrayOutputStream();',
    ...parts.flatMap(({ name, value, fileName }) => [
      `form.write(("--" + boundary + "\\r\\n" + ${literal(`${dispositionOf(name, fileName)}\r\n\r\n`)}).getBytes("UTF-8"));`,
      fileName === null
        ? `form.write(${literal(value)}.getBytes("UTF-8"));`
        : `form.write(Files.readAllBytes(Path.of(${literal(fileName)})));`,
      'form.write("\\r\\n".getBytes("UTF-8"));',
    ]),
    'form.write(("--" + boundary + "--\\r\\n").getBytes("UTF-8"));',
  ];
}

/** The header of a part, its names escaped as browsers do (HTML, multipart/form-data encoding algorithm). */
function dispositionOf(name: string, fileName: string | null): string {
  const escaped = (text: string) => text.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
  return `Content-Disposition: form-data; name="${escaped(name)}"${fileName === null ? '' : `; filename="${escaped(fileName)}"`}`;
}
