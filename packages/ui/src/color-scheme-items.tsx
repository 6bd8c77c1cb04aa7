import { Menu, useMantineColorScheme } from '@mantine/core';

const schemes = { light: 'Light', dark: 'Dark', auto: 'As the system has it' } as const;

/** Items of a menu by which whoever looks chooses the colours of the pages. */
export function ColorSchemeItems() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Menu.Divider />
      <Menu.Label>Colours</Menu.Label>
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
