// SPDX-License-Identifier: Apache-2.0
// SHOW, DESC and EXPLAIN.
parser grammar ShowParser;

showStatement
    : SHOW (DATABASES | SCHEMAS) (FROM identifier)? showFilter       # showDatabases
    | SHOW FULL? (TABLES | VIEWS) inDatabase? showFilter             # showTables
    | SHOW TABLE STATUS inDatabase? showFilter                       # showTableStatus
    | SHOW FULL? (COLUMNS | FIELDS) inTable inDatabase? showFilter   # showColumns
    | SHOW (INDEX | INDEXES | KEY | KEYS) inTable inDatabase? showFilter # showIndex
    | SHOW BRIEF? CREATE TABLE qualifiedName                         # showCreateTable
    | SHOW CREATE VIEW qualifiedName                                 # showCreateView
    | SHOW CREATE (DATABASE | SCHEMA) qualifiedName                  # showCreateDatabase
    | SHOW CREATE MATERIALIZED VIEW qualifiedName (ON qualifiedName)? # showCreateMaterializedView
    | SHOW CREATE CATALOG identifier                                 # showCreateCatalog
    | SHOW CREATE (GLOBAL | SESSION)? FUNCTION functionSignature inDatabase? # showCreateFunction
    | SHOW CREATE (PROCEDURE | PROC) qualifiedName                   # showCreateProcedure
    | SHOW CREATE REPOSITORY FOR identifier                          # showCreateRepository
    | SHOW CREATE ROUTINE LOAD FOR qualifiedName                     # showCreateRoutineLoad
    | SHOW CREATE ALL ROUTINE LOAD FOR qualifiedName                 # showCreateAllRoutineLoad
    | SHOW CREATE LOAD FOR qualifiedName                             # showCreateLoad
    | SHOW CREATE STORAGE VAULT identifierOrText                     # showCreateStorageVault
    | SHOW CREATE USER userIdentity                                  # showCreateUser
    | SHOW TEMPORARY? PARTITIONS inTable showFilter                  # showPartitions
    | SHOW PARTITION INTEGER_LITERAL                                 # showPartition
    | SHOW TABLETS inTable partitionSelection? showFilter            # showTablets
    | SHOW TABLETS BELONG INTEGER_LITERAL (COMMA INTEGER_LITERAL)*   # showTabletsBelong
    | SHOW TABLET INTEGER_LITERAL                                    # showTablet
    | SHOW TABLET DIAGNOSIS INTEGER_LITERAL                          # showTabletDiagnosis
    | SHOW TABLET STORAGE FORMAT VERBOSE?                            # showTabletStorageFormat
    | SHOW DATABASE INTEGER_LITERAL                                  # showDatabaseById
    | SHOW TABLE INTEGER_LITERAL                                     # showTableById
    | SHOW (GLOBAL | SESSION | LOCAL)? VARIABLES showFilter          # showVariables
    | SHOW FULL? (PROCESSLIST | PROCESS LIST)                        # showProcesslist
    | SHOW FRONTENDS DISKS?                                          # showFrontends
    | SHOW FRONTENDS identifier                                      # showFrontendsOther
    | SHOW BACKENDS                                                  # showBackends
    | SHOW PROC STRING_LITERAL                                       # showProc
    | SHOW DATA SKEW inTable partitionSelection?                     # showDataSkew
    | SHOW DATA TYPES                                                # showDataTypes
    | SHOW DATA ALL? inTable? showFilter propertyClause?             # showData
    | SHOW ALTER TABLE (COLUMN | ROLLUP | MATERIALIZED VIEW) inDatabase? showFilter # showAlterTable
    | SHOW BUILD INDEX inDatabase? showFilter                        # showBuildIndex
    | SHOW TRANSACTION inDatabase? showFilter                        # showTransaction
    | SHOW LAST INSERT                                               # showLastInsert
    | SHOW STREAM? LOAD inDatabase? showFilter                       # showLoad
    | SHOW LOAD WARNINGS (inDatabase? showFilter | ON STRING_LITERAL) # showLoadWarnings
    | SHOW LOAD PROFILE STRING_LITERAL? showFilter                   # showLoadProfile
    | SHOW QUERY PROFILE STRING_LITERAL? showFilter                  # showQueryProfile
    | SHOW QUERY STATS ((FOR identifier) | inTable ALL? VERBOSE?)?   # showQueryStats
    | SHOW ALL? ROUTINE LOAD TASK inDatabase? showFilter             # showRoutineLoadTask
    | SHOW ALL? ROUTINE LOAD (FOR? qualifiedName)? showFilter        # showRoutineLoad
    | SHOW SYNC JOB inDatabase? showFilter                           # showSyncJob
    | SHOW EXPORT inDatabase? showFilter                             # showExport
    | SHOW DELETE inDatabase?                                        # showDelete
    | SHOW ALL? GRANTS (FOR userIdentity)?                           # showGrants
    | SHOW ROLES                                                     # showRoles
    | SHOW ALL (PROPERTY | PROPERTIES) showFilter                    # showAllProperty
    | SHOW PROPERTY (FOR identifierOrText)? showFilter               # showProperty
    | SHOW CATALOGS showFilter                                       # showCatalogs
    | SHOW CATALOG RECYCLE BIN showFilter                            # showCatalogRecycleBin
    | SHOW CATALOG identifier                                        # showCatalog
    | (ADMIN)? SHOW FRONTEND CONFIG showFilter                       # showFrontendConfig
    | (ADMIN)? SHOW BACKEND CONFIG (FROM INTEGER_LITERAL)? showFilter (FROM INTEGER_LITERAL)? # showBackendConfig
    | SHOW DYNAMIC PARTITION TABLES inDatabase?                      # showDynamicPartitionTables
    | (ADMIN)? SHOW REPLICA STATUS inTable partitionSelection? showFilter # showReplicaStatus
    | (ADMIN)? SHOW REPLICA DISTRIBUTION inTable partitionSelection? # showReplicaDistribution
    | SHOW TRASH (ON STRING_LITERAL)?                                # showTrash
    | SHOW TABLE CACHED? STATS (qualifiedName partitionSelection? identifierList? | INTEGER_LITERAL) # showTableStats
    | SHOW INDEX STATS qualifiedName identifier                      # showIndexStats
    | SHOW COLUMN CACHED? STATS qualifiedName identifierList? partitionSelection? # showColumnStats
    | SHOW COLUMN HISTOGRAM STATS qualifiedName identifierList?      # showColumnHistogramStats
    | SHOW AUTO? ANALYZE (JOBS)? (INTEGER_LITERAL | qualifiedName)? showFilter # showAnalyze
    | SHOW QUEUED ANALYZE JOBS qualifiedName? showFilter             # showQueuedAnalyzeJobs
    | SHOW ANALYZE TASK STATUS INTEGER_LITERAL                       # showAnalyzeTaskStatus
    | SHOW VIEW inTable inDatabase?                                  # showViews
    | SHOW CONSTRAINTS FROM qualifiedName                            # showConstraints
    | SHOW (GLOBAL | SESSION | FULL | BUILTIN)* FUNCTIONS inDatabase? showFilter # showFunctions
    | SHOW TYPE_CAST inDatabase?                                     # showTypeCast
    | SHOW RESOURCES showFilter                                      # showResources
    | SHOW WORKLOAD GROUPS showFilter                                # showWorkloadGroups
    | SHOW WORKLOAD POLICY                                           # showWorkloadPolicy
    | SHOW SQL_BLOCK_RULE (FOR identifier)?                          # showSqlBlockRule
    | SHOW ROW POLICY (FOR (ROLE identifierOrText | userIdentity))?  # showRowPolicy
    | SHOW STORAGE POLICY (USING (FOR identifier)? | identifier)?    # showStoragePolicy
    | SHOW STORAGE (VAULT | VAULTS)                                  # showStorageVault
    | SHOW ENCRYPTKEYS inDatabase? showFilter                        # showEncryptkeys
    | SHOW FILE inDatabase? showFilter                               # showFile
    | SHOW REPOSITORIES                                              # showRepositories
    | SHOW SNAPSHOT ON identifier showFilter                         # showSnapshot
    | SHOW BACKUP inDatabase? showFilter                             # showBackup
    | SHOW BRIEF? RESTORE inDatabase? showFilter                     # showRestore
    | SHOW BROKER                                                    # showBroker
    | SHOW STAGES                                                    # showStages
    | SHOW COLOCATE? COMPUTE? (GROUPS | CLUSTERS)                    # showGroups
    | SHOW CLUSTERS                                                  # showClusters
    | SHOW COPY inDatabase? showFilter                               # showCopy
    | SHOW CACHE HOTSPOT STRING_LITERAL                              # showCacheHotspot
    | SHOW WARM UP JOB showFilter                                    # showWarmUpJob
    | SHOW CONVERT_LIGHT_SCHEMA_CHANGE_PROCESS inDatabase?           # showConvertLightSchemaChangeProcess
    | SHOW JOBS showFilter                                           # showJobs
    | SHOW JOB TASKS? FOR identifierOrText                           # showJob
    | SHOW MIGRATIONS                                                # showMigrations
    | SHOW POLICY                                                    # showPolicy
    | SHOW INVERTED INDEX identifier                                 # showInvertedIndex
    | SHOW compatibilityTopic inDatabase? showFilter                 # showCompatibility
    | (DESC | DESCRIBE) FUNCTION qualifiedName propertyList tableAlias? # describeTableFunction
    | (DESC | DESCRIBE | EXPLAIN) TABLE? qualifiedName partitionSelection? ALL? identifier? # describeTable
    | (DESC | DESCRIBE | EXPLAIN) explainStage? PLAN? explainFormat? PROCESS? explainFormat? explainable # explain
    | (DESC | DESCRIBE | EXPLAIN) DICTIONARY qualifiedName           # describeDictionary
    ;

compatibilityTopic
    : AUTHORS
    | CHARSET
    | CHARACTER SET
    | CHAR SET
    | COLLATION
    | STORAGE? ENGINES
    | (COUNT LEFT_PAREN STAR RIGHT_PAREN)? ERRORS
    | (COUNT LEFT_PAREN STAR RIGHT_PAREN)? WARNINGS
    | EVENTS
    | FUNCTION STATUS
    | OPEN TABLES
    | PLUGINS
    | PRIVILEGES
    | PROCEDURE STATUS
    | PROFILES
    | (GLOBAL | SESSION | LOCAL)? STATUS
    | TRIGGERS
    ;

inDatabase
    : (FROM | IN) qualifiedName
    ;

inTable
    : (FROM | IN) qualifiedName
    ;

showFilter
    : (LIKE STRING_LITERAL)? (WHERE expression)? orderByClause? limitClause?
    ;

explainStage
    : PARSED | ANALYZED | REWRITTEN | LOGICAL | OPTIMIZED | PHYSICAL | SHAPE | MEMO | DISTRIBUTED | ALL
    ;

explainFormat
    : VERBOSE | TREE | GRAPH | DUMP
    ;

explainable
    : queryOrWrite
    | ddlStatement
    | dmlStatement
    ;
