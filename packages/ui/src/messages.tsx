import { Notifications } from '@mantine/notifications';

/**
 * Short messages about what was done, inside the router since they may link to screens. At the bottom centre, where
 * screens have no buttons; apart from its own links and buttons, a message lets clicks through (ui.css).
 */
export function Messages() {
  return <Notifications position="bottom-center" />;
}
