import { Alert, List, Text } from '@mantine/core';
import { contrastProblems, paletteOf, type ThemeColors } from '@millrace/portal-theme';
import classes from './portal.module.css';

/** How the portal looks with these colours, or which of them are too close: what the server would reject. */
export function ThemePreview({ title, colors }: { readonly title: string; readonly colors: ThemeColors }) {
  const isComplete = Object.values(colors).every((color) => /^#[0-9a-f]{6}$/.test(color));
  const problems = isComplete ? contrastProblems(colors) : [];
  return (
    <section aria-label={`Preview of ${title.toLowerCase()}`} className={classes.preview} aria-live="polite">
      <Text size="sm" fw={600} mb={6}>
        {title}
      </Text>
      {!isComplete && <Text size="sm">Shown once every colour is complete.</Text>}
      {problems.length > 0 && (
        <Alert color="red" title="These colours can’t be read">
          <List size="sm">
            {problems.map(({ message }) => (
              <List.Item key={message}>{message}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      {isComplete && problems.length === 0 && <Sample colors={colors} />}
    </section>
  );
}

/** A card on a page, in the colours of the theme and those that follow from them. */
function Sample({ colors }: { readonly colors: ThemeColors }) {
  const palette = paletteOf(colors);
  return (
    <div className={classes.sample} style={{ background: palette.background, color: palette.text }}>
      <div className={classes.card} style={{ background: palette.surface, borderColor: palette.border }}>
        <strong>Orders</strong>
        <span style={{ color: palette.mutedText }}>Orders and their lines</span>
        <span style={{ color: palette.link, textDecoration: 'underline' }}>Read the guide</span>
        <span className={classes.sampleButton} style={{ background: palette.accent, color: palette.accentText }}>
          Subscribe
        </span>
      </div>
    </div>
  );
}
