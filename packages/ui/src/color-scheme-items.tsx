import { Menu, useMantineColorScheme } from '@mantine/core';

const schemes = { light: 'Light', dark: 'Dark', auto: 'System' } as const;

/** Menu items that switch between light and dark. */
export function ColorSchemeItems() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Menu.Divider />
      <Menu.Label>Theme</Menu.Label>
      {(['light', 'dark', 'auto'] as const).map((scheme) => (
        <Menu.Item
          key={scheme}
          role="menuitemradio"
          aria-checked={colorScheme === scheme}
          closeMenuOnClick={false}
          rightSection={colorScheme === scheme ? <span aria-hidden>✓</span> : null}
          onClick={() => setColorScheme(scheme)}
        >
          {schemes[scheme]}
        </Menu.Item>
      ))}
    </>
  );
}
