import classes from './code-block.module.css';

/** Code, or a response; by keyboard, what is too long for the screen is scrolled in it. */
export function CodeBlock(props: { readonly label: string; readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: only what has the focus is scrolled by keyboard.
    <section aria-label={props.label} tabIndex={0} className={classes.block}>
      <pre>{props.text}</pre>
    </section>
  );
}
