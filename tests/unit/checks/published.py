"""The formats of reports as they are published, in our own words and as far as reports use them.

SARIF 2.1.0 is an OASIS standard: the properties here are those of its sections 3.13 (log), 3.14 (run), 3.18 and 3.19
(tool), 3.27 (result), 3.28 to 3.30 (places), 3.35 (suppression) and 3.49 (rule), closed to any other. JUnit's form has
no standard; these are the elements, their order and their attributes as Ant writes and Jenkins reads them.
"""

from __future__ import annotations

from typing import Any


def _object(required: tuple[str, ...], **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "required": list(required),
        "properties": properties,
        "additionalProperties": False,
    }


_TEXT = {"type": "string", "minLength": 1}
_FROM_1 = {"type": "integer", "minimum": 1}
_MESSAGE = _object(("text",), text={"type": "string"})
_RULE = _object(
    ("id",), id=_TEXT, name=_TEXT, shortDescription=_MESSAGE, fullDescription=_MESSAGE,
    help=_MESSAGE, helpUri={"type": "string", "format": "uri"},
)  # fmt: skip
_PLACE = _object(
    (),
    physicalLocation=_object(
        ("artifactLocation",),
        artifactLocation=_object(("uri",), uri={"type": "string", "format": "uri-reference", "pattern": r"^[!-~]*$"}),
        region=_object((), startLine=_FROM_1, startColumn=_FROM_1, endLine=_FROM_1, endColumn=_FROM_1),
    ),
)
_SUPPRESSION = _object(
    ("kind",),
    kind={"enum": ["inSource", "external"]},
    status={"enum": ["accepted", "underReview", "rejected"]},
    justification=_TEXT,
)
_RESULT = _object(
    ("message",),
    ruleId=_TEXT,
    ruleIndex={"type": "integer", "minimum": 0},
    level={"enum": ["none", "note", "warning", "error"]},
    message=_MESSAGE,
    locations={"type": "array", "items": _PLACE},
    suppressions={"type": "array", "items": _SUPPRESSION, "uniqueItems": True},
)
SARIF = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    **_object(
        ("version", "runs"),
        **{
            "$schema": {"type": "string", "format": "uri"},
            "version": {"const": "2.1.0"},
            "runs": {
                "type": "array",
                "items": _object(
                    ("tool",),
                    tool=_object(
                        ("driver",),
                        driver=_object(
                            ("name",), name=_TEXT, version=_TEXT, informationUri={"type": "string", "format": "uri"},
                            rules={"type": "array", "items": _RULE, "uniqueItems": True},
                        ),
                    ),
                    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    results={"type": "array", "items": _RESULT},
                ),
            },
        },
    ),
}  # fmt: skip

JUNIT = """<?xml version="1.0"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <xs:element name="testsuites">
    <xs:complexType>
      <xs:sequence><xs:element ref="testsuite" minOccurs="0" maxOccurs="unbounded"/></xs:sequence>
    </xs:complexType>
  </xs:element>
  <xs:element name="testsuite">
    <xs:complexType>
      <xs:sequence>
        <xs:element ref="testcase" minOccurs="0" maxOccurs="unbounded"/>
      </xs:sequence>
      <xs:attribute name="name" type="xs:string" use="required"/>
      <xs:attribute name="tests" type="xs:nonNegativeInteger" use="required"/>
      <xs:attribute name="failures" type="xs:nonNegativeInteger" use="required"/>
      <xs:attribute name="errors" type="xs:nonNegativeInteger" use="required"/>
      <xs:attribute name="skipped" type="xs:nonNegativeInteger"/>
      <xs:attribute name="time" type="xs:decimal"/>
      <xs:attribute name="timestamp" type="xs:dateTime"/>
    </xs:complexType>
  </xs:element>
  <xs:element name="testcase">
    <xs:complexType>
      <xs:sequence>
        <xs:choice minOccurs="0">
          <xs:element name="skipped" type="outcome"/>
          <xs:element name="error" type="outcome"/>
          <xs:element name="failure" type="outcome"/>
        </xs:choice>
        <xs:element name="system-out" type="xs:string" minOccurs="0"/>
        <xs:element name="system-err" type="xs:string" minOccurs="0"/>
      </xs:sequence>
      <xs:attribute name="name" type="xs:string" use="required"/>
      <xs:attribute name="classname" type="xs:string" use="required"/>
      <xs:attribute name="time" type="xs:decimal"/>
    </xs:complexType>
  </xs:element>
  <xs:complexType name="outcome">
    <xs:simpleContent>
      <xs:extension base="xs:string">
        <xs:attribute name="message" type="xs:string"/>
        <xs:attribute name="type" type="xs:string"/>
      </xs:extension>
    </xs:simpleContent>
  </xs:complexType>
</xs:schema>
"""
