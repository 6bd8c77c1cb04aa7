/** Settings of an organization, as they are stored. */
export interface OrganizationSettings {
  readonly currency?: string;
}
