// SPDX-License-Identifier: Apache-2.0
// Entry points and the list of statements; each area lives in its own file under imports.
parser grammar ThetisParser;

options { tokenVocab = ThetisLexer; }

import ExprParser, QueryParser, DdlParser, DmlParser, ShowParser, AdminParser;

// One statement up to its semicolon; the caller repeats this rule for a list of statements.
singleStatement
    : statement (SEMICOLON | EOF)
    ;

singleExpression
    : expression EOF
    ;

singleType
    : dataType EOF
    ;

statement
    : queryOrWrite
    | ddlStatement
    | dmlStatement
    | showStatement
    | sessionStatement
    | adminStatement
    | privilegeStatement
    ;
