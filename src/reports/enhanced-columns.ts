import { type ReportTrack } from './report.ts'

export type Cell = string | number | boolean | null | undefined

/** What an enhancement found, one value a name: for formats without objects. */
export const enhancedColumns: Readonly<Record<string, (enhanced: NonNullable<ReportTrack['enhanced']>) => Cell>> = {
  vehicle_type: ({ vehicle_type }) => vehicle_type,
  color: ({ color }) => color?.name,
  plate: ({ plate }) => plate?.text,
  upper_color: ({ upper_color }) => upper_color?.name,
  lower_color: ({ lower_color }) => lower_color?.name,
  kind: ({ kind }) => kind,
  estimated_size_m: ({ estimated_size_m }) => estimated_size_m,
  distance_m: ({ distance_m }) => distance_m,
}
