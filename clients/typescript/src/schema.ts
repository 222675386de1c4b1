/** Every operation and record of the API. Made from docs/openapi.json by `npm run generate`. */
export interface paths {
    "/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Basic status; needs no key */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {string} */
                            status: "ok";
                            version: string;
                            uptime_seconds: number;
                            processes_running: number;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check an API key */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            valid: true;
                            username: string;
                            product: string;
                            is_master: boolean;
                            /** @description `YYYY-MM-DD`, the last day (UTC) on which the key works; null for ever. */
                            expiration_date: string | null;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /** Check an API key */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            valid: true;
                            username: string;
                            product: string;
                            is_master: boolean;
                            /** @description `YYYY-MM-DD`, the last day (UTC) on which the key works; null for ever. */
                            expiration_date: string | null;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user_info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account behind the key */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            version: string;
                            username: string;
                            product: string;
                            uploaded_video_storage: {
                                max_video_upload_size_bytes: number;
                                total_storage_size_bytes: number;
                                used_storage_size_bytes: number;
                            };
                            subscription: {
                                remaining_minutes: number;
                                /** @description `YYYY-MM-DD`, the last day (UTC) on which the key works; null for ever. */
                                expiration_date: string | null;
                                /** @description Minutes bought but not yet allocated to a key. */
                                pending_to_allocate: number;
                                consumed_minutes: number;
                            };
                            /** @description One entry per child key; present when there are any. */
                            children_subscription?: {
                                remaining_minutes: number;
                                /** @description `YYYY-MM-DD`, the last day (UTC) on which the key works; null for ever. */
                                expiration_date: string | null;
                                /** @description Minutes bought but not yet allocated to a key. */
                                pending_to_allocate: number;
                                consumed_minutes: number;
                                username: string;
                            }[];
                            is_track_logger_enabled: boolean;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Deprecated: use /user_info
         * @deprecated
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            version: string;
                            uploaded_video_storage: {
                                max_video_upload_size_bytes: number;
                                total_storage_size_bytes: number;
                                used_storage_size_bytes: number;
                            };
                            subscription: {
                                remaining_minutes: number;
                                /** @description `YYYY-MM-DD`, the last day (UTC) on which the key works; null for ever. */
                                expiration_date: string | null;
                                consumed_minutes: number;
                            };
                            product: string;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List child keys */
        get: {
            parameters: {
                query?: {
                    /** @description How many at the most. */
                    limit?: number;
                    /** @description From the `Link` header of the page before. */
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            username: string;
                            is_master: boolean;
                            created_at: string;
                            /** @description `YYYY-MM-DD`, the last day (UTC) on which the key works; null for ever. */
                            expiration_date: string | null;
                            /** @description Sources that may be registered. */
                            max_sources: number;
                            /** @description Outputs that may be registered. */
                            max_outputs: number;
                            /** @description Outputs attached to one process at a time. */
                            max_attached_outputs: number;
                            /** @description Processes at a time. */
                            max_processes: number;
                            /** @description Largest video file. */
                            max_video_upload_size_bytes: number;
                            /** @description All uploaded video files together. */
                            total_storage_size_bytes: number;
                            /** @description Whether track reports are kept. */
                            track_logger: boolean;
                            /** @description Whether track reports may be enhanced. */
                            enhancement: boolean;
                            /** @description Whether processed video is recorded. */
                            process_recording: boolean;
                            /** @description How long recordings of sources are kept. */
                            recording_retention_days: number;
                            subscription: {
                                remaining_minutes: number;
                                /** @description `YYYY-MM-DD`, the last day (UTC) on which the key works; null for ever. */
                                expiration_date: string | null;
                                /** @description Minutes bought but not yet allocated to a key. */
                                pending_to_allocate: number;
                                consumed_minutes: number;
                            };
                        }[];
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /** Create a child key */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Also the first part of the paths of its streams. */
                        username: string;
                        /**
                         * @description Taken from the minutes that the master has pending.
                         * @default 0
                         */
                        minutes?: number;
                        /** @description `YYYY-MM-DD`, the last day (UTC) on which the key works; null for ever. */
                        expiration_date?: string | null;
                        /** @description Sources that may be registered. */
                        max_sources?: number;
                        /** @description Outputs that may be registered. */
                        max_outputs?: number;
                        /** @description Outputs attached to one process at a time. */
                        max_attached_outputs?: number;
                        /** @description Processes at a time. */
                        max_processes?: number;
                        /** @description Largest video file. */
                        max_video_upload_size_bytes?: number;
                        /** @description All uploaded video files together. */
                        total_storage_size_bytes?: number;
                        /** @description Whether track reports are kept. */
                        track_logger?: boolean;
                        /** @description Whether track reports may be enhanced. */
                        enhancement?: boolean;
                        /** @description Whether processed video is recorded. */
                        process_recording?: boolean;
                        /** @description How long recordings of sources are kept. */
                        recording_retention_days?: number;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            username: string;
                            is_master: boolean;
                            created_at: string;
                            /** @description `YYYY-MM-DD`, the last day (UTC) on which the key works; null for ever. */
                            expiration_date: string | null;
                            /** @description Sources that may be registered. */
                            max_sources: number;
                            /** @description Outputs that may be registered. */
                            max_outputs: number;
                            /** @description Outputs attached to one process at a time. */
                            max_attached_outputs: number;
                            /** @description Processes at a time. */
                            max_processes: number;
                            /** @description Largest video file. */
                            max_video_upload_size_bytes: number;
                            /** @description All uploaded video files together. */
                            total_storage_size_bytes: number;
                            /** @description Whether track reports are kept. */
                            track_logger: boolean;
                            /** @description Whether track reports may be enhanced. */
                            enhancement: boolean;
                            /** @description Whether processed video is recorded. */
                            process_recording: boolean;
                            /** @description How long recordings of sources are kept. */
                            recording_retention_days: number;
                            subscription: {
                                remaining_minutes: number;
                                /** @description `YYYY-MM-DD`, the last day (UTC) on which the key works; null for ever. */
                                expiration_date: string | null;
                                /** @description Minutes bought but not yet allocated to a key. */
                                pending_to_allocate: number;
                                consumed_minutes: number;
                            };
                            /** @description The API key. It is shown only here; we keep a hash of it. */
                            key: string;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/{username}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke a key */
        delete: {
            parameters: {
                query?: {
                    /** @description Also delete what the key has stored, at once. */
                    purge?: string;
                };
                header?: never;
                path: {
                    /** @description Also the first part of the paths of its streams. */
                    username: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            username: string;
                            /** @enum {boolean} */
                            deleted: true;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Change limits, features or expiry */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Also the first part of the paths of its streams. */
                    username: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description `YYYY-MM-DD`, the last day (UTC) on which the key works; null for ever. */
                        expiration_date?: string | null;
                        /** @description Sources that may be registered. */
                        max_sources?: number;
                        /** @description Outputs that may be registered. */
                        max_outputs?: number;
                        /** @description Outputs attached to one process at a time. */
                        max_attached_outputs?: number;
                        /** @description Processes at a time. */
                        max_processes?: number;
                        /** @description Largest video file. */
                        max_video_upload_size_bytes?: number;
                        /** @description All uploaded video files together. */
                        total_storage_size_bytes?: number;
                        /** @description Whether track reports are kept. */
                        track_logger?: boolean;
                        /** @description Whether track reports may be enhanced. */
                        enhancement?: boolean;
                        /** @description Whether processed video is recorded. */
                        process_recording?: boolean;
                        /** @description How long recordings of sources are kept. */
                        recording_retention_days?: number;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            username: string;
                            is_master: boolean;
                            created_at: string;
                            /** @description `YYYY-MM-DD`, the last day (UTC) on which the key works; null for ever. */
                            expiration_date: string | null;
                            /** @description Sources that may be registered. */
                            max_sources: number;
                            /** @description Outputs that may be registered. */
                            max_outputs: number;
                            /** @description Outputs attached to one process at a time. */
                            max_attached_outputs: number;
                            /** @description Processes at a time. */
                            max_processes: number;
                            /** @description Largest video file. */
                            max_video_upload_size_bytes: number;
                            /** @description All uploaded video files together. */
                            total_storage_size_bytes: number;
                            /** @description Whether track reports are kept. */
                            track_logger: boolean;
                            /** @description Whether track reports may be enhanced. */
                            enhancement: boolean;
                            /** @description Whether processed video is recorded. */
                            process_recording: boolean;
                            /** @description How long recordings of sources are kept. */
                            recording_retention_days: number;
                            subscription: {
                                remaining_minutes: number;
                                /** @description `YYYY-MM-DD`, the last day (UTC) on which the key works; null for ever. */
                                expiration_date: string | null;
                                /** @description Minutes bought but not yet allocated to a key. */
                                pending_to_allocate: number;
                                consumed_minutes: number;
                            };
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/keys/{username}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace a key by a new one */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Also the first part of the paths of its streams. */
                    username: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            username: string;
                            is_master: boolean;
                            created_at: string;
                            /** @description `YYYY-MM-DD`, the last day (UTC) on which the key works; null for ever. */
                            expiration_date: string | null;
                            /** @description Sources that may be registered. */
                            max_sources: number;
                            /** @description Outputs that may be registered. */
                            max_outputs: number;
                            /** @description Outputs attached to one process at a time. */
                            max_attached_outputs: number;
                            /** @description Processes at a time. */
                            max_processes: number;
                            /** @description Largest video file. */
                            max_video_upload_size_bytes: number;
                            /** @description All uploaded video files together. */
                            total_storage_size_bytes: number;
                            /** @description Whether track reports are kept. */
                            track_logger: boolean;
                            /** @description Whether track reports may be enhanced. */
                            enhancement: boolean;
                            /** @description Whether processed video is recorded. */
                            process_recording: boolean;
                            /** @description How long recordings of sources are kept. */
                            recording_retention_days: number;
                            subscription: {
                                remaining_minutes: number;
                                /** @description `YYYY-MM-DD`, the last day (UTC) on which the key works; null for ever. */
                                expiration_date: string | null;
                                /** @description Minutes bought but not yet allocated to a key. */
                                pending_to_allocate: number;
                                consumed_minutes: number;
                            };
                            /** @description The API key. It is shown only here; we keep a hash of it. */
                            key: string;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscription/allocate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give pending minutes to a key */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Also the first part of the paths of its streams. */
                        username: string;
                        minutes: number;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            username: string;
                            is_master: boolean;
                            created_at: string;
                            /** @description `YYYY-MM-DD`, the last day (UTC) on which the key works; null for ever. */
                            expiration_date: string | null;
                            /** @description Sources that may be registered. */
                            max_sources: number;
                            /** @description Outputs that may be registered. */
                            max_outputs: number;
                            /** @description Outputs attached to one process at a time. */
                            max_attached_outputs: number;
                            /** @description Processes at a time. */
                            max_processes: number;
                            /** @description Largest video file. */
                            max_video_upload_size_bytes: number;
                            /** @description All uploaded video files together. */
                            total_storage_size_bytes: number;
                            /** @description Whether track reports are kept. */
                            track_logger: boolean;
                            /** @description Whether track reports may be enhanced. */
                            enhancement: boolean;
                            /** @description Whether processed video is recorded. */
                            process_recording: boolean;
                            /** @description How long recordings of sources are kept. */
                            recording_retention_days: number;
                            subscription: {
                                remaining_minutes: number;
                                /** @description `YYYY-MM-DD`, the last day (UTC) on which the key works; null for ever. */
                                expiration_date: string | null;
                                /** @description Minutes bought but not yet allocated to a key. */
                                pending_to_allocate: number;
                                consumed_minutes: number;
                            };
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who is signed in */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            username: string;
                            is_master: boolean;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /** Sign a browser in with a key or a code; answers a cookie */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        api_key?: string;
                        /** @description From a sign-in link; works once. */
                        code?: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            username: string;
                            is_master: boolean;
                            expires_at: string;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        /** Sign out */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            signed_out: true;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a link that signs a browser in once */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            code: string;
                            /** @description Opens the console, signed in; once. */
                            url: string;
                            expires_at: string;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/video": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Register a video file */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "multipart/form-data": {
                        /**
                         * Format: binary
                         * @description An mp4, mov or avi file.
                         */
                        file: string;
                        /** @description A label of your choice. */
                        alias?: string;
                        telemetry_cfg?: {
                            /** @enum {string} */
                            type: "mqtt";
                            /**
                             * @description `native`, or `vendor_a` (alias `dji`).
                             * @default native
                             * @enum {string}
                             */
                            format?: "native" | "vendor_a" | "dji";
                            parameters: {
                                /** @description Address of the broker. */
                                ip: string;
                                port: number;
                                topic: string;
                                username?: string;
                                password?: string;
                                tls?: boolean;
                                /** @description Horizontal field of view in degrees at zoom 1, for formats that do not send it. */
                                sensor_hfov?: number;
                                /** @description Vertical field of view in degrees at zoom 1. */
                                sensor_vfov?: number;
                                /**
                                 * @description Which lens is streamed; the vendor’s messages do not say. Default: wide.
                                 * @enum {string}
                                 */
                                lens?: "wide" | "zoom" | "ir";
                                /** @description Added to every heading. */
                                yaw_bias_deg?: number;
                                /** @description How much later the video is than the telemetry. */
                                time_offset_ms?: number;
                                /** @description Older telemetry locates nothing. Default 2000; 5000 for vendor_a. */
                                max_age_ms?: number;
                            };
                        } | {
                            /** @enum {string} */
                            type: "websocket";
                            /**
                             * @description `native`, or `vendor_a` (alias `dji`).
                             * @default native
                             * @enum {string}
                             */
                            format?: "native" | "vendor_a" | "dji";
                            /** @default {} */
                            parameters?: {
                                /** @description Horizontal field of view in degrees at zoom 1, for formats that do not send it. */
                                sensor_hfov?: number;
                                /** @description Vertical field of view in degrees at zoom 1. */
                                sensor_vfov?: number;
                                /**
                                 * @description Which lens is streamed; the vendor’s messages do not say. Default: wide.
                                 * @enum {string}
                                 */
                                lens?: "wide" | "zoom" | "ir";
                                /** @description Added to every heading. */
                                yaw_bias_deg?: number;
                                /** @description How much later the video is than the telemetry. */
                                time_offset_ms?: number;
                                /** @description Older telemetry locates nothing. Default 2000; 5000 for vendor_a. */
                                max_age_ms?: number;
                            };
                        } | {
                            /** @enum {string} */
                            type: "static";
                            /**
                             * @default native
                             * @enum {string}
                             */
                            format?: "native";
                            parameters: {
                                sensor_hfov: number;
                                sensor_vfov: number;
                                /**
                                 * @description Which lens is streamed; the vendor’s messages do not say. Default: wide.
                                 * @enum {string}
                                 */
                                lens?: "wide" | "zoom" | "ir";
                                /** @description Added to every heading. */
                                yaw_bias_deg?: number;
                                /** @description How much later the video is than the telemetry. */
                                time_offset_ms?: number;
                                /** @description Older telemetry locates nothing. Default 2000; 5000 for vendor_a. */
                                max_age_ms?: number;
                                timestamp?: number;
                                latitude?: number;
                                longitude?: number;
                                speed?: number;
                                altitude?: number;
                                rel_altitude?: number;
                                camera_pitch?: number;
                                camera_yaw?: number;
                                camera_roll?: number;
                                drone_pitch?: number;
                                drone_yaw?: number;
                                drone_roll?: number;
                            };
                        };
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            source_uuid: string;
                            alias: string;
                            /** @enum {string} */
                            type: "file" | "stream";
                            /** @description Passwords and keys are masked; the file’s name for files. */
                            input_url: string;
                            stream_type: ("rtmp" | "rtsp") | null;
                            /** @enum {string} */
                            status: "offline" | "streaming" | "processing" | "unknown";
                            /** @description For sources on this media server. */
                            recording: ("on" | "off" | "stopped-disk-full") | null;
                            /** @description For sources on this media server; needs a key or a read token, as `?api_key=` or `?token=`. */
                            hls_url: string | null;
                            /** @description A page that plays it; WHEP and WHIP are at /whep and /whip below it. */
                            webrtc_url: string | null;
                            telemetry_cfg: unknown | null;
                            created_at: string;
                            video?: {
                                codec: string;
                                width: number;
                                height: number;
                                fps: number;
                            };
                        };
                    };
                };
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            source_uuid: string;
                            alias: string;
                            /** @enum {string} */
                            type: "file" | "stream";
                            /** @description Passwords and keys are masked; the file’s name for files. */
                            input_url: string;
                            stream_type: ("rtmp" | "rtsp") | null;
                            /** @enum {string} */
                            status: "offline" | "streaming" | "processing" | "unknown";
                            /** @description For sources on this media server. */
                            recording: ("on" | "off" | "stopped-disk-full") | null;
                            /** @description For sources on this media server; needs a key or a read token, as `?api_key=` or `?token=`. */
                            hls_url: string | null;
                            /** @description A page that plays it; WHEP and WHIP are at /whep and /whip below it. */
                            webrtc_url: string | null;
                            telemetry_cfg: unknown | null;
                            created_at: string;
                            video?: {
                                codec: string;
                                width: number;
                                height: number;
                                fps: number;
                            };
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Register a stream */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description A label of your choice. */
                        alias: string;
                        input_url: string;
                        /** @enum {string} */
                        stream_type: "rtmp" | "rtsp";
                        telemetry_cfg?: {
                            /** @enum {string} */
                            type: "mqtt";
                            /**
                             * @description `native`, or `vendor_a` (alias `dji`).
                             * @default native
                             * @enum {string}
                             */
                            format?: "native" | "vendor_a" | "dji";
                            parameters: {
                                /** @description Address of the broker. */
                                ip: string;
                                port: number;
                                topic: string;
                                username?: string;
                                password?: string;
                                tls?: boolean;
                                /** @description Horizontal field of view in degrees at zoom 1, for formats that do not send it. */
                                sensor_hfov?: number;
                                /** @description Vertical field of view in degrees at zoom 1. */
                                sensor_vfov?: number;
                                /**
                                 * @description Which lens is streamed; the vendor’s messages do not say. Default: wide.
                                 * @enum {string}
                                 */
                                lens?: "wide" | "zoom" | "ir";
                                /** @description Added to every heading. */
                                yaw_bias_deg?: number;
                                /** @description How much later the video is than the telemetry. */
                                time_offset_ms?: number;
                                /** @description Older telemetry locates nothing. Default 2000; 5000 for vendor_a. */
                                max_age_ms?: number;
                            };
                        } | {
                            /** @enum {string} */
                            type: "websocket";
                            /**
                             * @description `native`, or `vendor_a` (alias `dji`).
                             * @default native
                             * @enum {string}
                             */
                            format?: "native" | "vendor_a" | "dji";
                            /** @default {} */
                            parameters?: {
                                /** @description Horizontal field of view in degrees at zoom 1, for formats that do not send it. */
                                sensor_hfov?: number;
                                /** @description Vertical field of view in degrees at zoom 1. */
                                sensor_vfov?: number;
                                /**
                                 * @description Which lens is streamed; the vendor’s messages do not say. Default: wide.
                                 * @enum {string}
                                 */
                                lens?: "wide" | "zoom" | "ir";
                                /** @description Added to every heading. */
                                yaw_bias_deg?: number;
                                /** @description How much later the video is than the telemetry. */
                                time_offset_ms?: number;
                                /** @description Older telemetry locates nothing. Default 2000; 5000 for vendor_a. */
                                max_age_ms?: number;
                            };
                        } | {
                            /** @enum {string} */
                            type: "static";
                            /**
                             * @default native
                             * @enum {string}
                             */
                            format?: "native";
                            parameters: {
                                sensor_hfov: number;
                                sensor_vfov: number;
                                /**
                                 * @description Which lens is streamed; the vendor’s messages do not say. Default: wide.
                                 * @enum {string}
                                 */
                                lens?: "wide" | "zoom" | "ir";
                                /** @description Added to every heading. */
                                yaw_bias_deg?: number;
                                /** @description How much later the video is than the telemetry. */
                                time_offset_ms?: number;
                                /** @description Older telemetry locates nothing. Default 2000; 5000 for vendor_a. */
                                max_age_ms?: number;
                                timestamp?: number;
                                latitude?: number;
                                longitude?: number;
                                speed?: number;
                                altitude?: number;
                                rel_altitude?: number;
                                camera_pitch?: number;
                                camera_yaw?: number;
                                camera_roll?: number;
                                drone_pitch?: number;
                                drone_yaw?: number;
                                drone_roll?: number;
                            };
                        };
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            source_uuid: string;
                            alias: string;
                            /** @enum {string} */
                            type: "file" | "stream";
                            /** @description Passwords and keys are masked; the file’s name for files. */
                            input_url: string;
                            stream_type: ("rtmp" | "rtsp") | null;
                            /** @enum {string} */
                            status: "offline" | "streaming" | "processing" | "unknown";
                            /** @description For sources on this media server. */
                            recording: ("on" | "off" | "stopped-disk-full") | null;
                            /** @description For sources on this media server; needs a key or a read token, as `?api_key=` or `?token=`. */
                            hls_url: string | null;
                            /** @description A page that plays it; WHEP and WHIP are at /whep and /whip below it. */
                            webrtc_url: string | null;
                            telemetry_cfg: unknown | null;
                            created_at: string;
                            video?: {
                                codec: string;
                                width: number;
                                height: number;
                                fps: number;
                            };
                        };
                    };
                };
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            source_uuid: string;
                            alias: string;
                            /** @enum {string} */
                            type: "file" | "stream";
                            /** @description Passwords and keys are masked; the file’s name for files. */
                            input_url: string;
                            stream_type: ("rtmp" | "rtsp") | null;
                            /** @enum {string} */
                            status: "offline" | "streaming" | "processing" | "unknown";
                            /** @description For sources on this media server. */
                            recording: ("on" | "off" | "stopped-disk-full") | null;
                            /** @description For sources on this media server; needs a key or a read token, as `?api_key=` or `?token=`. */
                            hls_url: string | null;
                            /** @description A page that plays it; WHEP and WHIP are at /whep and /whip below it. */
                            webrtc_url: string | null;
                            telemetry_cfg: unknown | null;
                            created_at: string;
                            video?: {
                                codec: string;
                                width: number;
                                height: number;
                                fps: number;
                            };
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stream/probe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Look at a stream before it is registered: what it is, and what is wrong with it */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        input_url: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description A picture could be decoded. */
                            is_readable: boolean;
                            video: {
                                codec: string;
                                width: number;
                                height: number;
                                fps: number;
                            } | null;
                            /** @description What is wrong with it, and what to do. */
                            problems: string[];
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List sources */
        get: {
            parameters: {
                query?: {
                    /** @description How many at the most. */
                    limit?: number;
                    /** @description From the `Link` header of the page before. */
                    cursor?: string;
                    /** @description A master may name a child of its own. */
                    username?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            source_uuid: string;
                            alias: string;
                            /** @enum {string} */
                            type: "file" | "stream";
                            /** @description Passwords and keys are masked; the file’s name for files. */
                            input_url: string;
                            stream_type: ("rtmp" | "rtsp") | null;
                            /** @enum {string} */
                            status: "offline" | "streaming" | "processing" | "unknown";
                            /** @description For sources on this media server. */
                            recording: ("on" | "off" | "stopped-disk-full") | null;
                            /** @description For sources on this media server; needs a key or a read token, as `?api_key=` or `?token=`. */
                            hls_url: string | null;
                            /** @description A page that plays it; WHEP and WHIP are at /whep and /whip below it. */
                            webrtc_url: string | null;
                            telemetry_cfg: unknown | null;
                            created_at: string;
                            video?: {
                                codec: string;
                                width: number;
                                height: number;
                                fps: number;
                            };
                        }[];
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/source/{source_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One source */
        get: {
            parameters: {
                query?: {
                    /** @description A master may name a child of its own. */
                    username?: string;
                };
                header?: never;
                path: {
                    source_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            source_uuid: string;
                            alias: string;
                            /** @enum {string} */
                            type: "file" | "stream";
                            /** @description Passwords and keys are masked; the file’s name for files. */
                            input_url: string;
                            stream_type: ("rtmp" | "rtsp") | null;
                            /** @enum {string} */
                            status: "offline" | "streaming" | "processing" | "unknown";
                            /** @description For sources on this media server. */
                            recording: ("on" | "off" | "stopped-disk-full") | null;
                            /** @description For sources on this media server; needs a key or a read token, as `?api_key=` or `?token=`. */
                            hls_url: string | null;
                            /** @description A page that plays it; WHEP and WHIP are at /whep and /whip below it. */
                            webrtc_url: string | null;
                            telemetry_cfg: unknown | null;
                            created_at: string;
                            video?: {
                                codec: string;
                                width: number;
                                height: number;
                                fps: number;
                            };
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Remove a source */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    source_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            source_uuid: string;
                            /** @enum {boolean} */
                            deleted: true;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/source/{source_id}/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a token that may only publish or read this source */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    source_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @enum {string} */
                        action: "publish" | "read";
                        /** @description Default: never. */
                        expires_in_seconds?: number;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            token_uuid: string;
                            /** Format: uuid */
                            source_uuid: string;
                            /** @enum {string} */
                            action: "publish" | "read";
                            expires_at: string | null;
                            created_at: string;
                            /** @description Shown only here. */
                            token: string;
                            /** @description Ready to be put into a drone, an encoder or a player. */
                            urls: {
                                rtsp: string;
                                rtmp: string;
                            };
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/source/{source_id}/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the tokens of a source */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    source_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            token_uuid: string;
                            /** Format: uuid */
                            source_uuid: string;
                            /** @enum {string} */
                            action: "publish" | "read";
                            expires_at: string | null;
                            created_at: string;
                        }[];
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/source/{source_id}/token/{token_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke a token */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    source_id: string;
                    token_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            token_uuid: string;
                            /** @enum {boolean} */
                            deleted: true;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sources/recordings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List recordings of sources */
        get: {
            parameters: {
                query?: {
                    /** @description How many at the most. */
                    limit?: number;
                    /** @description From the `Link` header of the page before. */
                    cursor?: string;
                    /** @description A master may name a child of its own. */
                    username?: string;
                    source_uuid?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            recording_uuid: string;
                            /** Format: uuid */
                            source_uuid: string;
                            alias: string;
                            started_at: string;
                            /** @description null while it goes on */
                            ended_at: string | null;
                            duration_seconds: number;
                            size_bytes: number;
                            gaps: {
                                start: string;
                                duration_seconds: number;
                            }[];
                            segments: {
                                start: string;
                                duration_seconds: number | null;
                                size_bytes: number;
                                download_url: string;
                            }[];
                        }[];
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sources/recordings/segments/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download a segment by its link */
        get: {
            parameters: {
                query?: {
                    /** @description Comes with the download_url. */
                    token?: string;
                };
                header?: never;
                path: {
                    file: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start processing a source */
        post: {
            parameters: {
                query: {
                    source_uuid: string;
                    /** @description One of `GET /models`; the service’s default when left out. */
                    model?: string;
                    /** @description Percent: only what is at least this certain is told. When left out, a track begins at 30 and is followed down to 10. */
                    confidence?: number;
                    /** @description Comma-separated names of the only classes that are wanted. */
                    classes?: string;
                    /** @description Default true. Without it every `track_id` is 0. */
                    tracking?: "true" | "false";
                    /** @description Cuts the picture into columns × rows that are looked at one by one, for small objects; takes as much longer. */
                    tiles?: string;
                    /** @description For files: as long as the video lasts, or as fast as the machine can. */
                    pace?: "realtime" | "fast";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            process_uuid: string;
                            feed_url: string;
                            detection_data_url: string;
                            telemetry_url: string;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/processes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List processes, those that have ended too */
        get: {
            parameters: {
                query?: {
                    /** @description How many at the most. */
                    limit?: number;
                    /** @description From the `Link` header of the page before. */
                    cursor?: string;
                    /** @description A master may name a child of its own. */
                    username?: string;
                    /** @description `live` are all that go on. */
                    state?: "starting" | "running" | "paused" | "reconnecting" | "stopping" | "stopped" | "finished" | "failed" | "live";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            process_uuid: string;
                            /** @enum {string} */
                            state: "starting" | "running" | "paused" | "reconnecting" | "stopping" | "stopped" | "finished" | "failed";
                            /** Format: uuid */
                            source_uuid: string;
                            /** @description Passwords and keys are masked; the file’s name for files. */
                            source_url: string;
                            created_at: string;
                            /** @description When its first picture came. */
                            started_at: string | null;
                            stopped_at: string | null;
                            stop_reason: string | null;
                            /** @description What went wrong; while reconnecting, what is wrong now. */
                            error: string | null;
                            model: string;
                            confidence: number | null;
                            classes: string[] | null;
                            tracking: boolean;
                            tiles: string;
                            /** @enum {string} */
                            pace: "realtime" | "fast";
                            outputs: {
                                /** Format: uuid */
                                output_uuid: string;
                                alias: string;
                                type: string;
                                settings: string | null;
                                /** @description `waiting` is between two tries. */
                                state: ("connecting" | "sending" | "waiting") | null;
                                /** @description What is wrong with it now. */
                                error: string | null;
                            }[];
                            restarts: number;
                            telemetry: {
                                type: string;
                                format: string;
                                /** @description Since the last good message; null before the first. */
                                age_ms: number | null;
                                /** @description How long messages take to arrive, by their own times. */
                                delay_ms: number | null;
                                /** @description Messages that were not used, by reason. */
                                rejected: {
                                    [key: string]: number;
                                };
                                /** @description What is wrong with the channel now. */
                                error: string | null;
                            } | null;
                            stats: {
                                input_fps: number;
                                processed_fps: number;
                                dropped_frames: number;
                                decode_errors: number;
                                inference_ms_p50: number | null;
                                inference_ms_p95: number | null;
                                latency_ms_p50: number | null;
                                latency_ms_p95: number | null;
                                consumed_seconds: number;
                            };
                        }[];
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Stop all your processes */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            stopped: string[];
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/process/stop_all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop all your processes
         * @deprecated
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            stopped: string[];
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/process/{process_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One process */
        get: {
            parameters: {
                query?: {
                    /** @description A master may name a child of its own. */
                    username?: string;
                };
                header?: never;
                path: {
                    process_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            process_uuid: string;
                            /** @enum {string} */
                            state: "starting" | "running" | "paused" | "reconnecting" | "stopping" | "stopped" | "finished" | "failed";
                            /** Format: uuid */
                            source_uuid: string;
                            /** @description Passwords and keys are masked; the file’s name for files. */
                            source_url: string;
                            created_at: string;
                            /** @description When its first picture came. */
                            started_at: string | null;
                            stopped_at: string | null;
                            stop_reason: string | null;
                            /** @description What went wrong; while reconnecting, what is wrong now. */
                            error: string | null;
                            model: string;
                            confidence: number | null;
                            classes: string[] | null;
                            tracking: boolean;
                            tiles: string;
                            /** @enum {string} */
                            pace: "realtime" | "fast";
                            outputs: {
                                /** Format: uuid */
                                output_uuid: string;
                                alias: string;
                                type: string;
                                settings: string | null;
                                /** @description `waiting` is between two tries. */
                                state: ("connecting" | "sending" | "waiting") | null;
                                /** @description What is wrong with it now. */
                                error: string | null;
                            }[];
                            restarts: number;
                            telemetry: {
                                type: string;
                                format: string;
                                /** @description Since the last good message; null before the first. */
                                age_ms: number | null;
                                /** @description How long messages take to arrive, by their own times. */
                                delay_ms: number | null;
                                /** @description Messages that were not used, by reason. */
                                rejected: {
                                    [key: string]: number;
                                };
                                /** @description What is wrong with the channel now. */
                                error: string | null;
                            } | null;
                            stats: {
                                input_fps: number;
                                processed_fps: number;
                                dropped_frames: number;
                                decode_errors: number;
                                inference_ms_p50: number | null;
                                inference_ms_p95: number | null;
                                latency_ms_p50: number | null;
                                latency_ms_p95: number | null;
                                consumed_seconds: number;
                            };
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Stop a process */
        delete: {
            parameters: {
                query?: {
                    /** @description A master may name a child of its own. */
                    username?: string;
                };
                header?: never;
                path: {
                    process_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            stopped: string[];
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/process/{process_uuid}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop a process
         * @deprecated
         */
        post: {
            parameters: {
                query?: {
                    /** @description A master may name a child of its own. */
                    username?: string;
                };
                header?: never;
                path: {
                    process_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            stopped: string[];
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/process/{process_uuid}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pause a process: no detection, no minutes; its place and its connections stay */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    process_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            process_uuid: string;
                            /** @enum {string} */
                            state: "starting" | "running" | "paused" | "reconnecting" | "stopping" | "stopped" | "finished" | "failed";
                            /** Format: uuid */
                            source_uuid: string;
                            /** @description Passwords and keys are masked; the file’s name for files. */
                            source_url: string;
                            created_at: string;
                            /** @description When its first picture came. */
                            started_at: string | null;
                            stopped_at: string | null;
                            stop_reason: string | null;
                            /** @description What went wrong; while reconnecting, what is wrong now. */
                            error: string | null;
                            model: string;
                            confidence: number | null;
                            classes: string[] | null;
                            tracking: boolean;
                            tiles: string;
                            /** @enum {string} */
                            pace: "realtime" | "fast";
                            outputs: {
                                /** Format: uuid */
                                output_uuid: string;
                                alias: string;
                                type: string;
                                settings: string | null;
                                /** @description `waiting` is between two tries. */
                                state: ("connecting" | "sending" | "waiting") | null;
                                /** @description What is wrong with it now. */
                                error: string | null;
                            }[];
                            restarts: number;
                            telemetry: {
                                type: string;
                                format: string;
                                /** @description Since the last good message; null before the first. */
                                age_ms: number | null;
                                /** @description How long messages take to arrive, by their own times. */
                                delay_ms: number | null;
                                /** @description Messages that were not used, by reason. */
                                rejected: {
                                    [key: string]: number;
                                };
                                /** @description What is wrong with the channel now. */
                                error: string | null;
                            } | null;
                            stats: {
                                input_fps: number;
                                processed_fps: number;
                                dropped_frames: number;
                                decode_errors: number;
                                inference_ms_p50: number | null;
                                inference_ms_p95: number | null;
                                latency_ms_p50: number | null;
                                latency_ms_p95: number | null;
                                consumed_seconds: number;
                            };
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/process/{process_uuid}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Go on with a paused process */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    process_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            process_uuid: string;
                            /** @enum {string} */
                            state: "starting" | "running" | "paused" | "reconnecting" | "stopping" | "stopped" | "finished" | "failed";
                            /** Format: uuid */
                            source_uuid: string;
                            /** @description Passwords and keys are masked; the file’s name for files. */
                            source_url: string;
                            created_at: string;
                            /** @description When its first picture came. */
                            started_at: string | null;
                            stopped_at: string | null;
                            stop_reason: string | null;
                            /** @description What went wrong; while reconnecting, what is wrong now. */
                            error: string | null;
                            model: string;
                            confidence: number | null;
                            classes: string[] | null;
                            tracking: boolean;
                            tiles: string;
                            /** @enum {string} */
                            pace: "realtime" | "fast";
                            outputs: {
                                /** Format: uuid */
                                output_uuid: string;
                                alias: string;
                                type: string;
                                settings: string | null;
                                /** @description `waiting` is between two tries. */
                                state: ("connecting" | "sending" | "waiting") | null;
                                /** @description What is wrong with it now. */
                                error: string | null;
                            }[];
                            restarts: number;
                            telemetry: {
                                type: string;
                                format: string;
                                /** @description Since the last good message; null before the first. */
                                age_ms: number | null;
                                /** @description How long messages take to arrive, by their own times. */
                                delay_ms: number | null;
                                /** @description Messages that were not used, by reason. */
                                rejected: {
                                    [key: string]: number;
                                };
                                /** @description What is wrong with the channel now. */
                                error: string | null;
                            } | null;
                            stats: {
                                input_fps: number;
                                processed_fps: number;
                                dropped_frames: number;
                                decode_errors: number;
                                inference_ms_p50: number | null;
                                inference_ms_p95: number | null;
                                latency_ms_p50: number | null;
                                latency_ms_p95: number | null;
                                consumed_seconds: number;
                            };
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/process/{process_uuid}/detection_data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Websocket of detection messages, for one client at a time */
        get: {
            parameters: {
                query?: {
                    /** @description A master may name a child of its own. */
                    username?: string;
                };
                header?: never;
                path: {
                    process_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Each text frame is one such message. */
                101: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description When the frame was taken, UTC. */
                            timestamp: string;
                            source_uri: string;
                            /** Format: uuid */
                            process_uuid: string;
                            /** @description Counts up by one; a gap tells of messages that this client was too slow for. */
                            sequence: number;
                            frame: {
                                width: number;
                                height: number;
                                /** @description Seconds on the stream’s own time line. */
                                pts: number;
                                rtp_timestamp: number | null;
                            };
                            active_tracks: {
                                /** @description 0 when tracking is off; never used twice in a process. */
                                track_id: number;
                                class_id: number;
                                class_name: string;
                                /** @description [x, y, width, height] in pixels of the input. */
                                bbox: number[];
                                /** @description The same as fractions of the input’s width and height. */
                                scaled_bbox: number[];
                                /** @description 0 to 100. */
                                confidence: number;
                                latitude?: number;
                                longitude?: number;
                                /** @description Metres above mean sea level. */
                                altitude?: number;
                                /** @description Metres from the camera. */
                                distance?: number;
                                /** @description Degrees from the optical axis, positive to the right. */
                                azimuth?: number;
                                /** @description Degrees from the optical axis, positive up. */
                                elevation?: number;
                                /** @description One standard deviation. */
                                position_error_m?: number;
                                /**
                                 * @description How the distance was found.
                                 * @enum {string}
                                 */
                                position_source?: "ground" | "terrain" | "size" | "laser";
                                /** @description Metres a second. */
                                ground_speed?: number;
                                /** @description Degrees from north; not while it stands. */
                                course?: number;
                                /** @description Of the oldest value that was used. */
                                telemetry_age_ms?: number;
                            }[];
                            /** @description With telemetry that tells the whole pose. */
                            camera?: {
                                latitude: number;
                                longitude: number;
                                /** @description Metres above mean sea level. */
                                altitude: number;
                                /** @description Degrees from north. */
                                heading: number;
                                /** @description [latitude, longitude] of what it sees of the ground: near left, near right, far right, far left. */
                                footprint: number[][];
                            };
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/process/{process_uuid}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The same messages as server-sent events, for up to 100 clients */
        get: {
            parameters: {
                query?: {
                    /** @description A master may name a child of its own. */
                    username?: string;
                };
                header?: never;
                path: {
                    process_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/processes/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The messages of several processes as server-sent events: browsers open few connections at a time */
        get: {
            parameters: {
                query: {
                    /** @description A master may name a child of its own. */
                    username?: string;
                    /** @description Comma-separated, up to 50. */
                    process_uuids: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/process/{process_uuid}/telemetry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Websocket into which telemetry is sent, one JSON message a text frame */
        get: {
            parameters: {
                query?: {
                    /** @description A master may name a child of its own. */
                    username?: string;
                };
                header?: never;
                path: {
                    process_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/process/{process_uuid}/drone_data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Websocket of telemetry as it was received, for one client at a time */
        get: {
            parameters: {
                query?: {
                    /** @description A master may name a child of its own. */
                    username?: string;
                };
                header?: never;
                path: {
                    process_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Each text frame is one such message. */
                101: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            latitude?: number | null;
                            longitude?: number | null;
                            altitude?: number | null;
                            rel_altitude?: number | null;
                            speed?: number | null;
                            sensor_hfov?: number | null;
                            sensor_vfov?: number | null;
                            camera_pitch?: number | null;
                            camera_yaw?: number | null;
                            camera_roll?: number | null;
                            drone_pitch?: number | null;
                            drone_yaw?: number | null;
                            drone_roll?: number | null;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/output": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Register an output; the same one again answers the existing one */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description A label of your choice. */
                        alias: string;
                        /** @enum {string} */
                        type: "rtsp" | "rtmp" | "detection_data" | "drone_data";
                        /** @description rtsp: `rtsp://<stream_path>`, which is then served at rtsp://<host>:8554/<username>/<stream_path>. rtmp: `rtmp://<host>:<port>/<stream_path>` of a server of yours. None for websockets. */
                        url?: string;
                        /**
                         * @description Lines of the picture; null keeps the input’s resolution.
                         * @default null
                         */
                        settings?: ("360p" | "720p" | "1080p") | null;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            output_uuid: string;
                            alias: string;
                            /** @enum {string} */
                            type: "rtsp" | "rtmp" | "detection_data" | "drone_data";
                            /** @description As registered; passwords and keys are masked. */
                            url: string | null;
                            settings: ("360p" | "720p" | "1080p") | null;
                            /** @description The process that it is attached to. */
                            process_uuid: string | null;
                            created_at: string;
                        };
                    };
                };
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            output_uuid: string;
                            alias: string;
                            /** @enum {string} */
                            type: "rtsp" | "rtmp" | "detection_data" | "drone_data";
                            /** @description As registered; passwords and keys are masked. */
                            url: string | null;
                            settings: ("360p" | "720p" | "1080p") | null;
                            /** @description The process that it is attached to. */
                            process_uuid: string | null;
                            created_at: string;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/outputs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List outputs */
        get: {
            parameters: {
                query?: {
                    /** @description How many at the most. */
                    limit?: number;
                    /** @description From the `Link` header of the page before. */
                    cursor?: string;
                    /** @description A master may name a child of its own. */
                    username?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            output_uuid: string;
                            alias: string;
                            /** @enum {string} */
                            type: "rtsp" | "rtmp" | "detection_data" | "drone_data";
                            /** @description As registered; passwords and keys are masked. */
                            url: string | null;
                            settings: ("360p" | "720p" | "1080p") | null;
                            /** @description The process that it is attached to. */
                            process_uuid: string | null;
                            created_at: string;
                        }[];
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/output/{output_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove an output */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    output_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            output_uuid: string;
                            /** @enum {boolean} */
                            deleted: true;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/process/{process_uuid}/{output_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Attach an output to a process */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    process_uuid: string;
                    output_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            output_uuid: string;
                            /** Format: uuid */
                            process_uuid: string;
                            /** @description Where to play or connect, as it stands. */
                            url: string;
                            /** @description For rtsp: plays as it stands. */
                            hls_url: string | null;
                            /** @description For rtsp: a page that plays it. */
                            webrtc_url: string | null;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        /** Detach an output from a process */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    process_uuid: string;
                    output_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            output_uuid: string;
                            /** Format: uuid */
                            process_uuid: string;
                            /** @enum {boolean} */
                            detached: true;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/process/{process_uuid}/feed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The processed picture as motion JPEG, for quick looks */
        get: {
            parameters: {
                query?: {
                    /** @description A master may name a child of its own. */
                    username?: string;
                };
                header?: never;
                path: {
                    process_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the models */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            name: string;
                            is_default: boolean;
                            /** @description False for the models that come with the service. */
                            is_brought: boolean;
                            family: string;
                            /** @description Null when only the model’s file says it. */
                            input: {
                                width: number;
                                height: number;
                            } | null;
                            licence: string;
                            attribution: string | null;
                            description: string | null;
                            /** @description Null for models that users bring. */
                            accuracy: {
                                /** @description Percent, as its authors published it. */
                                published_coco_map: number;
                                /** @description Measured on PETS 2009 S2.L1 at an overlap of 0.5. */
                                people: {
                                    average_precision: number;
                                    recall_at_30: number;
                                    precision_at_30: number;
                                };
                            } | null;
                            /** @description Measured on this machine when it was last used; null before that. */
                            speed: {
                                inference_ms_p50: number;
                                inference_ms_p95: number;
                                threads: number;
                                measured_at: string;
                            } | null;
                            classes: {
                                class_id: number;
                                class_name: string;
                            }[];
                        }[];
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hls/{*}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Watch a live stream by HLS: /hls/<username>/<stream_path>/index.m3u8
         * @description Low-latency HLS, made on demand. The addresses in its playlists are for this viewing only.
         */
        get: {
            parameters: {
                query?: {
                    /** @description For players that cannot send headers. */
                    api_key?: string;
                    /** @description A read token of the source. */
                    token?: string;
                    _HLS_msn?: string;
                    _HLS_part?: string;
                };
                header?: never;
                path: {
                    /** @description <username>/<stream_path>/index.m3u8 */
                    "*": string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the console must know */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description A template with {z}, {x} and {y}; null for a plain map. */
                            map_tiles_url: string | null;
                            /** @description Of the media server. */
                            rtsp_port: number;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Problem: {
            /** @description Where this kind of problem is explained. */
            type: string;
            title: string;
            status: number;
            /** @description What is wrong and what to do about it. */
            detail: string;
            /** @description Stable; made for programs. */
            code: string;
            errors?: {
                path: string;
                message: string;
            }[];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
