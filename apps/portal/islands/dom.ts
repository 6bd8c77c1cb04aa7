type Attributes = Readonly<Record<string, string | boolean | undefined>>;

/** An element with attributes and content; text stays text, whatever it says. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...content: readonly (Node | string | null)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(key, '');
    else if (typeof value === 'string') made.setAttribute(key, value);
  }
  made.append(...content.filter((part) => part !== null));
  return made;
}

let fieldCount = 0;

/** A field with its label, and what helps to fill it in. */
export function labelled(
  field: HTMLElement,
  options: { readonly label: string; readonly required?: string | undefined; readonly help?: string | undefined },
): HTMLElement {
  const { label, required, help } = options;
  fieldCount += 1;
  field.id = `try-field-${fieldCount}`;
  const helpId = `${field.id}-help`;
  if (help) field.setAttribute('aria-describedby', helpId);
  return element(
    'div',
    { class: 'try-field' },
    element(
      'label',
      { for: field.id },
      label,
      required === undefined ? null : element('span', { class: 'required' }, ` ${required}`),
    ),
    help ? element('p', { class: 'muted small', id: helpId }, help) : null,
    field,
  );
}

/** Shown from the start where there are no more of them. */
const mostShown = 3;

/** Fields that may stay empty; many of them are shown on demand. */
export function optionalFields(title: string, fields: readonly HTMLElement[], count: number): HTMLElement | null {
  if (fields.length === 0) return null;
  return element(
    'details',
    { open: count <= mostShown },
    element('summary', {}, `${title} (${count})`),
    element('div', { class: 'try-fields' }, ...fields),
  );
}

/** A panel of code that a keyboard can scroll. */
export function codePanel(label: string, text: string, copy: { readonly copy: string; readonly copied: string }) {
  const button = element('button', { type: 'button', class: 'copy' }, copy.copy);
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text);
    button.textContent = copy.copied;
    setTimeout(() => {
      button.textContent = copy.copy;
    }, 2_000);
  });
  return element(
    'div',
    { class: 'code' },
    element('div', { class: 'code-bar' }, element('span', {}, label), button),
    element('pre', { tabindex: '0', role: 'region', 'aria-label': label }, element('code', {}, text)),
  );
}
